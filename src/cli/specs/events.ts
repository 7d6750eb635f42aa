import type { CommandSpec } from '../command.js';

export const eventsSpec: CommandSpec = {
  name: 'events',
  summary: 'Print events in the order in which they were recorded',
  options: {
    run: { type: 'string', value: 'RUN', help: 'Only of this run' },
    after: { type: 'string', value: 'N', help: 'Only behind this position; default 0' },
    limit: { type: 'string', short: 'n', value: 'N', help: 'At most so many; default 1000, with -f no limit' },
    follow: { type: 'boolean', short: 'f', help: 'Go on with what is recorded from now on, by any process' },
  },
  examples: ['baton events', 'baton events --run fix-login-7k2 -f', 'baton events --after 1204 --json'],
};

import type { CommandSpec } from '../command.js';

export const runsSpec: CommandSpec = {
  name: 'runs',
  summary: 'List runs of all kinds, the newest first',
  options: {
    kind: { type: 'string', value: 'KIND', help: 'Only runs of this kind' },
    status: { type: 'string', value: 'STATUS', help: 'Only runs in this status' },
    project: { type: 'string', value: 'NAME', help: 'Only runs of this project' },
    search: { type: 'string', value: 'TEXT', help: 'Only runs whose title or text has these words' },
    after: { type: 'string', value: 'CURSOR', help: 'Go on behind an earlier list' },
    limit: { type: 'string', short: 'n', value: 'N', help: 'At most so many; default 50' },
  },
  examples: ['baton runs', 'baton runs --status needs-human', 'baton runs --search "login loop" --json'],
};

export const psSpec: CommandSpec = { ...runsSpec, name: 'ps', summary: 'Short for runs', examples: ['baton ps'] };

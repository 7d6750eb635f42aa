import type { CommandSpec } from '../command.js';

export const costSpec: CommandSpec = {
  name: 'cost',
  summary: 'Tell what was spent, and what of it led nowhere',
  options: {
    by: {
      type: 'string',
      value: 'KEY',
      choices: ['agent', 'model', 'project', 'day', 'run', 'kind'],
      help: 'Added up by this; agent when not given',
    },
    since: { type: 'string', value: '7d', help: 'In the last days; all of it when not given' },
  },
  examples: ['baton cost', 'baton cost --by day --since 7d', 'baton cost --by model', 'baton cost --by run --json'],
};

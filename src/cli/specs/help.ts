import type { CommandSpec } from '../command.js';

export const helpSpec: CommandSpec = {
  name: 'help',
  summary: 'Show all commands, or one of them',
  positionals: '[COMMAND…]',
  arity: { min: 0, max: 3 },
  examples: ['baton help', 'baton help validate'],
};

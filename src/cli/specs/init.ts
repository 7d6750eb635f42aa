import type { CommandSpec } from '../command.js';

export const initSpec: CommandSpec = {
  name: 'init',
  summary: 'Write baton.json: how jobs in this repository are prepared and checked',
  options: { force: { type: 'boolean', help: 'Replace a baton.json that is there already' } },
  examples: ['baton init', 'baton init --force'],
};

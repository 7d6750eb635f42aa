import type { CommandSpec } from '../command.js';

export const versionSpec: CommandSpec = {
  name: 'version',
  summary: 'Print the version',
  examples: ['baton version', 'baton version --json'],
};

import type { CommandSpec } from '../command.js';

export const configListSpec: CommandSpec = {
  name: 'config list',
  summary: 'List every setting with its value',
  examples: ['baton config list', 'baton config list --json'],
};

export const configGetSpec: CommandSpec = {
  name: 'config get',
  summary: 'Print the value of one setting',
  positionals: 'KEY',
  arity: { min: 1, max: 1 },
  examples: ['baton config get sandbox.mode'],
};

export const configSetSpec: CommandSpec = {
  name: 'config set',
  summary: 'Change one setting for all jobs of this user',
  positionals: 'KEY VALUE',
  arity: { min: 2, max: 2 },
  examples: ['baton config set agent codex', 'baton config set limits.cost_usd 5'],
};

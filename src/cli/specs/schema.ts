import type { CommandSpec } from '../command.js';

export const schemaListSpec: CommandSpec = {
  name: 'schema list',
  summary: 'List the contracts and the versions of their schemas',
  examples: ['baton schema list', 'baton schema list --json'],
};

export const schemaShowSpec: CommandSpec = {
  name: 'schema show',
  summary: 'Print the JSON Schema of a contract',
  positionals: 'NAME',
  arity: { min: 1, max: 1 },
  examples: ['baton schema show assignment'],
};

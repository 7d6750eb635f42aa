import type { CommandSpec } from '../command.js';

export const trustSpec: CommandSpec = {
  name: 'trust',
  summary: "Agree to a repository's baton.json as it is now",
  positionals: '[DIR]',
  arity: { min: 0, max: 1 },
  examples: ['baton trust', 'baton trust ../shop'],
};

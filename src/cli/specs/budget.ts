import type { CommandSpec } from '../command.js';

export const budgetSpecs: readonly CommandSpec[] = [
  {
    name: 'budget set',
    summary: 'Say what may be spent on a day; none takes it away',
    positionals: 'USD|none',
    arity: { min: 1, max: 1 },
    options: {
      project: { type: 'string', value: 'NAME', help: 'Of this project; all together when not given' },
      tokens: { type: 'string', value: 'N', help: 'Tokens of a day as well, or alone with none' },
    },
    examples: ['baton budget set 20 --project shop', 'baton budget set 50', 'baton budget set none --project shop'],
  },
  { name: 'budget list', summary: 'Tell what is left of today', examples: ['baton budget list'] },
];

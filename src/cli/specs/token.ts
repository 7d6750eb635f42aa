import type { CommandSpec } from '../command.js';

export const tokenSpecs: readonly CommandSpec[] = [
  {
    name: 'token create',
    summary: 'Make a token for the server; it is shown once',
    options: {
      role: {
        type: 'string',
        value: 'R',
        choices: ['viewer', 'worker', 'orchestrator', 'supervisor', 'steward', 'admin'],
        help: 'What it may do',
      },
      name: { type: 'string', value: 'N', help: 'Who has it' },
      agent: { type: 'string', value: 'AGENT', help: 'The agent it acts for' },
      expires: { type: 'string', value: '30d', help: 'It counts so long; until it is revoked when not given' },
    },
    examples: [
      'baton token create --role steward --name anna',
      'baton token create --role worker --name gpu --agent gpu',
      'baton token create --role viewer --name wall --expires 30d',
    ],
  },
  { name: 'token list', summary: 'List who has a token', examples: ['baton token list'] },
  {
    name: 'token revoke',
    summary: 'Take tokens back; what they have open ends',
    positionals: 'NAME…',
    arity: { min: 1, max: 100 },
    examples: ['baton token revoke anna'],
  },
];

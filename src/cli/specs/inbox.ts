import type { CommandSpec } from '../command.js';

export const inboxSpec: CommandSpec = {
  name: 'inbox',
  summary: 'Everything that waits for a person',
  positionals: '[ITEM]',
  arity: { min: 0, max: 1 },
  options: {
    after: { type: 'string', value: 'ITEM', help: 'Go on behind an earlier list' },
    watch: { type: 'boolean', help: 'Keep going and tell what comes' },
    all: { type: 'boolean', help: 'Of an item, all of a long change' },
  },
  examples: ['baton inbox', 'baton inbox 44'],
  first: true,
};

export const answerSpec: CommandSpec = {
  name: 'answer',
  summary: 'Answer what waits in the inbox',
  positionals: 'ITEM…',
  arity: { min: 1, max: 100 },
  options: {
    approve: { type: 'boolean', help: 'Yes' },
    'for-session': { type: 'boolean', help: 'Yes, and the same again in this session; of sessions' },
    deny: { type: 'boolean', help: 'No' },
    abort: { type: 'boolean', help: 'No, and its task ends; of sessions' },
    guidance: { type: 'string', value: 'TEXT', help: 'Go on, and this is what the agent is told' },
    text: { type: 'string', value: 'TEXT', help: 'As --guidance' },
    always: { type: 'boolean', help: 'With --approve: make the narrowest rule that allows it from now on' },
    for: { type: 'string', value: '30d', help: 'With --always: how long the rule holds' },
    raise: { type: 'string', value: 'N', help: 'The new total of the limit that was reached' },
  },
  examples: ['baton answer 44 --approve', 'baton answer 42 --guidance "use the new API"'],
  first: true,
};

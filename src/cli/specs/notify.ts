import type { CommandSpec } from '../command.js';

export const notifySpecs: readonly CommandSpec[] = [
  {
    name: 'notify add',
    summary: 'Say how you want to be told that something waits for you',
    positionals: 'NAME',
    arity: { min: 1, max: 1 },
    options: {
      webhook: { type: 'string', value: 'URL', help: 'Post an object there' },
      ntfy: { type: 'string', value: 'URL', help: 'A topic of ntfy' },
      'slack-env': { type: 'string', value: 'NAME', help: 'Variable with the address of a Slack webhook' },
      command: { type: 'string', value: 'CMD', help: 'Run this with the object on its input' },
      desktop: { type: 'boolean', help: 'Show it on this desktop' },
      'secret-env': { type: 'string', value: 'NAME', help: 'Variable with the key to sign a webhook' },
      'allow-private': { type: 'boolean', help: 'It may lead to this machine or its network' },
    },
    examples: [
      'baton notify add phone --ntfy https://ntfy.example.com/my-topic',
      'baton notify add ops --webhook https://hooks.example.com/baton --secret-env HOOK_KEY',
    ],
  },
  { name: 'notify list', summary: 'List who is told', examples: ['baton notify list'] },
  {
    name: 'notify test',
    summary: 'Tell something now, to see whether it arrives',
    positionals: 'NAME',
    arity: { min: 1, max: 1 },
    examples: ['baton notify test phone'],
  },
  {
    name: 'notify rm',
    summary: 'Tell somebody no more',
    positionals: 'NAME',
    arity: { min: 1, max: 1 },
    examples: ['baton notify rm phone'],
  },
];

import type { CommandSpec, OptionSpec } from '../command.js';

const AGENT: OptionSpec = { type: 'string', value: 'AGENT', help: 'For this agent alone' };
const REPO: OptionSpec = { type: 'string', value: 'DIR', help: 'Repository; this folder’s when not given' };

export const ruleSpecs: readonly CommandSpec[] = [
  {
    name: 'rule list',
    summary: 'List the rules about commands that hold here',
    options: {
      agent: { ...AGENT, help: 'Those that hold for this agent' },
      repo: REPO,
      all: { type: 'boolean', help: 'Of all repositories' },
    },
    examples: ['baton rule list', 'baton rule list --all --json'],
  },
  {
    name: 'rule add',
    summary: 'Say what agents may run, may not run, or must ask for',
    positionals: 'allow|ask|deny [CMD]',
    arity: { min: 1, max: 2 },
    options: {
      folder: { type: 'string', value: 'DIR', help: 'Only in this folder' },
      host: { type: 'string', value: 'HOST', help: 'Only to this host; *.NAME is all below' },
      agent: AGENT,
      repo: REPO,
      for: { type: 'string', value: '30d|none', help: 'How long; an allow ends after 30 days' },
    },
    examples: ['baton rule add allow "pnpm add" --agent claude', 'baton rule add deny "git push --force"'],
  },
  {
    name: 'rule rm',
    summary: 'Take rules back',
    positionals: 'ID…',
    arity: { min: 1, max: 100 },
    examples: ['baton rule rm 3'],
  },
  {
    name: 'rule test',
    summary: 'Say what would happen to a command, without running it',
    positionals: 'CMD',
    arity: { min: 1, max: 1 },
    options: {
      agent: { ...AGENT, help: 'As if this agent wanted it' },
      repo: REPO,
      folder: { type: 'string', value: 'DIR', help: 'As if it ran in this folder' },
      host: { type: 'string', value: 'HOST', multiple: true, help: 'As if it reached this host' },
      guard: {
        type: 'string',
        value: 'GUARD',
        choices: ['inside', 'leaving', 'none'],
        help: 'Inside a sandbox (default), leaving it, or without one',
      },
    },
    examples: ['baton rule test "git push --force"', 'baton rule test "npm ci && npm test" --guard leaving'],
  },
];

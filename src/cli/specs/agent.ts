import type { CommandSpec } from '../command.js';

export const agentRegisterSpec: CommandSpec = {
  name: 'agent register',
  summary: 'Make an agent known, or change it',
  positionals: '[ID]',
  arity: { min: 0, max: 1 },
  options: {
    adapter: { type: 'string', value: 'NAME', help: 'How it is reached: codex, claude, acp, command, model, http, …' },
    command: { type: 'string', value: 'CMD', help: 'For command and acp: program and arguments, no shell' },
    file: { type: 'string', value: 'FILE', help: 'For scripted its script; alone the whole registration' },
    bin: { type: 'string', value: 'PATH', help: 'For codex and claude: where the program is' },
    model: { type: 'string', value: 'NAME', help: 'Model to use' },
    'base-url': { type: 'string', value: 'URL', help: 'Address of the model service' },
    login: { type: 'string', value: 'key|own', help: 'Whose login is used' },
    url: { type: 'string', value: 'URL', help: 'For http: where requests go' },
    wire: {
      type: 'string',
      value: 'NAME',
      choices: ['responses', 'chat', 'messages'],
      help: 'For model: how the service is spoken to',
    },
    'header-env': {
      type: 'string',
      multiple: true,
      value: 'NAME=ENV',
      help: 'For http: send this header with the value of a variable',
    },
    'allow-private': { type: 'boolean', help: 'For http: it may be on this machine or in its network' },
    env: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'For command and acp: pass on this variable; of a key, a token',
    },
    parent: { type: 'string', value: 'ID', help: 'The agent it belongs to' },
    sandbox: { type: 'string', value: 'MODE', help: 'read-only, workspace-write or danger-full-access' },
    description: { type: 'string', value: 'TEXT', help: 'What it is for' },
  },
  examples: [
    'baton agent register fixer --adapter command --command "node fix.mjs"',
    'baton agent register critic --adapter model --model gpt-5',
    'baton agent register oc --adapter acp --command "opencode acp" --model openai/gpt-5',
  ],
};

export const agentListSpec: CommandSpec = {
  name: 'agent list',
  summary: 'List the agents that can be asked',
  examples: ['baton agent list', 'baton agent list --json'],
  first: true,
};

export const agentShowSpec: CommandSpec = {
  name: 'agent show',
  summary: 'Show one agent',
  positionals: 'ID',
  arity: { min: 1, max: 1 },
  examples: ['baton agent show fixer'],
};

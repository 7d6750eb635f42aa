import type { CommandSpec, OptionSpec } from '../command.js';

const SETTINGS: Readonly<Record<string, OptionSpec>> = {
  model: { type: 'string', value: 'MODEL', help: 'Model to ask' },
  provider: { type: 'string', value: 'AGENT|URL', help: 'Who serves the model; default OPENAI_BASE_URL' },
  cwd: { type: 'string', value: 'DIR', help: 'Folder to work in; default this one' },
  'approval-policy': {
    ...{ type: 'string', value: 'POLICY', choices: ['untrusted', 'on-failure', 'on-request', 'never'] },
    help: 'When a person is asked',
  },
  sandbox: {
    ...{ type: 'string', value: 'MODE', choices: ['read-only', 'workspace-write', 'danger-full-access'] },
    help: 'What commands may touch; default workspace-write',
  },
  'max-cost': { type: 'string', value: 'USD', help: 'Money of the whole session' },
  'max-time': { type: 'string', value: '45m', help: 'Time the session may work' },
  'max-tokens': { type: 'string', value: 'N', help: 'Tokens of the whole session' },
};
const RESUME: OptionSpec = {
  type: 'string',
  value: 'ID',
  alone: 'LAST',
  help: 'Go on with a session; without ID the newest of this folder',
};

/** In the order of the help. */
export const sessionSpecs: readonly CommandSpec[] = [
  {
    ...{ name: 'chat', summary: 'Talk with an agent in this terminal', first: true },
    ...{ positionals: '["PROMPT"]', arity: { min: 0, max: 1 }, options: { ...SETTINGS, resume: RESUME } },
    json: 'Print a refusal as JSON; the talk is for a person',
    examples: [
      'baton chat',
      'baton chat --resume',
      'baton chat "Why does the login loop?" --approval-policy untrusted',
    ],
  },
  {
    ...{ name: 'exec', summary: 'Give an agent one task and show what it does' },
    ...{ positionals: '["PROMPT"|-]', arity: { min: 0, max: 1 } },
    options: {
      ...SETTINGS,
      resume: RESUME,
      image: { type: 'string', short: 'i', multiple: true, value: 'FILE', help: 'Show it a picture' },
      'output-last-message': { type: 'string', value: 'FILE', help: 'Write what it says last to a file, too' },
    },
    json: 'Print every event, one JSON object a line, and nothing else',
    examples: [
      'baton exec "Why does the build fail?"',
      'git diff | baton exec "Review this" --sandbox read-only',
      'baton exec "And now the tests" --resume LAST',
      'baton exec --resume LAST',
    ],
  },
  {
    ...{ name: 'session', summary: 'Serve sessions to other programs, one JSON object a line' },
    options: {
      stdio: { type: 'boolean', help: 'On standard input and output; the default without --listen' },
      listen: {
        ...{ type: 'string', multiple: true, value: 'ADDRESS' },
        help: 'tcp://HOST:PORT, unix:PATH, ws://HOST:PORT, h2://HOST:PORT or grpc://HOST:PORT',
      },
      resume: { ...RESUME, help: 'Begin attached to a session; without ID the newest of this folder' },
    },
    json: 'Print refusals as JSON, too; everything else always is, one object a line',
    examples: ['baton session', 'baton session --listen tcp://127.0.0.1:0', 'baton session --resume LAST'],
  },
];

import type { CommandSpec } from '../command.js';
import { JOB_OPTIONS } from './job-options.js';

export const runSpec: CommandSpec = {
  name: 'run',
  summary: 'Give an agent work and watch it until it rests',
  positionals: '["PROMPT"|-]',
  arity: { min: 0, max: 1 },
  options: {
    ...JOB_OPTIONS,
    detach: { type: 'boolean', short: 'd', help: 'Run it in the background' },
    'no-input': { type: 'boolean', help: 'Never ask in place' },
    'dry-run': { type: 'boolean', help: 'Show what would be created, and create nothing' },
  },
  examples: [
    'baton run "Fix the login redirect loop" --check "npm test"',
    'baton run --file task.md --agent claude --supervisor codex --max-cost 2',
  ],
  first: true,
};

import type { CommandSpec } from '../command.js';

export const validateSpec: CommandSpec = {
  name: 'validate',
  summary: 'Check agent payloads against a contract; exit 0 only when all are allowed',
  positionals: 'CONTRACT [FILE…|-]',
  arity: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    strict: { type: 'boolean', help: 'Refuse unknown fields that do not begin with x_' },
    lines: { type: 'boolean', help: 'Every line of the input is one payload' },
    against: { type: 'string', value: 'FILE', help: 'The payload this one answers, e.g. the assignment of a result' },
    workspace: { type: 'string', value: 'DIR', help: 'Also require the evidence files of an agent response in DIR' },
    format: { type: 'string', value: 'F', choices: ['json', 'text', 'github', 'junit'], help: 'Default: json' },
  },
  examples: [
    'baton validate assignment packet.json',
    'agent | baton validate agent-response - --workspace .',
    'baton validate worklog-entry worklogs/T-12.jsonl --lines --format github',
    'baton validate subagent-result result.json --against packet.json --strict',
  ],
};

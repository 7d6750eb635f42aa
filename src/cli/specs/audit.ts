import type { CommandSpec } from '../command.js';

export const auditVerifySpec: CommandSpec = {
  name: 'audit verify',
  summary: 'Compute every hash of the journal again and say what is not as it was written',
  options: {
    head: { type: 'string', value: 'FILE', help: 'Also require that the journal contains this signed head' },
    export: { type: 'string', value: 'FILE', help: 'Verify a file made by audit export instead of this home' },
  },
  examples: [
    'baton audit verify',
    'baton audit verify --head head-2026-11-01.json',
    'baton audit verify --export journal.ndjson --json',
  ],
};

export const auditHeadSpec: CommandSpec = {
  name: 'audit head',
  summary: 'Verify the journal and print its signed head, to be kept elsewhere',
  examples: ['baton audit head', 'baton audit head --json > head.json'],
};

export const auditShowSpec: CommandSpec = {
  name: 'audit show',
  summary: 'Show every event of one run with its place and hash',
  positionals: 'RUN',
  arity: { min: 1, max: 1 },
  examples: ['baton audit show fix-login-7k2', 'baton audit show fix --json'],
};

export const auditExportSpec: CommandSpec = {
  name: 'audit export',
  summary: 'Print the journal, one JSON object a line, so that it can be verified elsewhere',
  options: { run: { type: 'string', value: 'RUN', help: 'Only this run' } },
  examples: ['baton audit export > journal.ndjson', 'baton audit export --run fix-login-7k2'],
};

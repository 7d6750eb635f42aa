import { expect, test } from 'vitest';
import { BatonError } from '../contracts/shared/errors.js';
import { recordingIo } from './recording-io.js';
import { reportError } from './report-error.js';

function told(failure: BatonError): string {
  const io = recordingIo({});
  reportError(io, failure, false);
  return io.said.err.split('\n')[1]?.trim() ?? '';
}

test.each([
  ['SCHEMA_INVALID', { contract: 'plan' }, 'Compare the payload with the schema: baton schema show plan.'],
  ['TOOL_MISSING', { program: 'gh' }, 'Install the program gh, then repeat the command.'],
  ['INPUT_UNREADABLE', { file: '/x/y' }, 'Check that the file /x/y exists and may be read.'],
  ['FORBIDDEN', { needed: 'steward' }, 'Needed is steward (a role, an agent or a person): use a token of it.'],
  ['PAYLOAD_TOO_LARGE', { bytes_max: 9 }, 'Send at most 9 bytes.'],
  [
    'LEDGER_INCONSISTENT',
    { issues: [{ a: 1 }] },
    'Repair every row listed in details.issues, then reconcile again. (details: repeat with --json)',
  ],
  [
    'UNAUTHENTICATED',
    undefined,
    'Set BATON_TOKEN to a token of that server: the file token of its home, or baton token create.',
  ],
] as const)('%s with %j says what to do without details that are not shown', (code, details, hint) => {
  expect(told(new BatonError(code, 'no', details))).toBe(hint);
});

test('a read that nobody answered was nothing that could be sent again', () => {
  expect(told(new BatonError('SERVER_UNREACHABLE', 'no answer', {}))).not.toContain('details.key');
});

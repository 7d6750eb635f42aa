import { expect, test } from 'vitest';
import type { SessionCall } from '../../client/index.js';
import { FoldedText } from './folded-text.js';
import { callNotes, commandText, patchOf } from './session-words.js';

const piece = (item_id: string, offset: number, delta: string) => ({
  id: 't',
  msg: { type: 'agent_message_delta', item_id, offset, delta },
});

test('pieces are put together in their order; one that does not follow on is left out', () => {
  const text = new FoldedText();
  expect(text.see(piece('m', 0, 'Good '))).toBe(true);
  expect(text.see(piece('m', 5, 'morning'))).toBe(true);
  expect(text.see(piece('m', 40, 'lost before'))).toBe(false);
  expect(text.items()).toEqual([{ key: 'm', type: 'message', text: 'Good morning', storedAt: null }]);
});

test('what is stored is told by its event; what is void is gone', () => {
  const text = new FoldedText();
  text.see(piece('m', 0, 'one'));
  text.see(piece('n', 0, 'two'));
  text.see({ id: 't', seq: 9, msg: { type: 'agent_message', item_id: 'm', message: 'one' } });
  expect(text.items().map(({ key, storedAt }) => [key, storedAt])).toEqual([
    ['m', 9],
    ['n', null],
  ]);
  text.see({ id: 't', seq: 10, msg: { type: 'turn_restarted', item_ids: ['n'] } });
  expect(text.items().map(({ key }) => key)).toEqual(['m']);
});

const CALL: SessionCall = {
  ...{ type: 'call', seq: 1, at: '', call_id: 'call-1', kind: 'exec', tool: 'exec_command', state: 'done' },
  ...{ auto: true, decided_by: null, where: 'inside', command: ['ls'], cwd: '/srv', changes: null, arguments: null },
  ...{ cut: 0, exit_code: 0, stdout: '', stderr: '', left_out: 0, seconds: 0.12, reason: null, justification: null },
};

test.each<[Partial<SessionCall>, readonly string[]]>([
  [{}, ['ran by itself', 'exit 0', '0.1 s']],
  [
    { auto: false, decided_by: 'eva', where: 'outside' },
    ['approved by eva', 'outside of the sandbox', 'exit 0', '0.1 s'],
  ],
  [{ auto: false, decided_by: 'eva', state: 'denied' }, ['denied by eva']],
  [{ state: 'unknown', exit_code: null }, ['ran by itself', 'outcome unknown']],
])('%j is told as %j', (change, notes) => {
  expect(callNotes({ ...CALL, ...change })).toEqual(notes);
});

test('a command is shown as it would be typed; the line of a shell as that line', () => {
  expect(commandText(['bash', '-lc', 'ls | wc -l'])).toBe('ls | wc -l');
  expect(commandText(['rg', '-n', 'legacy flags'])).toBe("rg -n 'legacy flags'");
});

test('changes are one patch, what lies outside of the folder first', () => {
  const patch = patchOf(
    { 'a.txt': { type: 'add', content: 'x\ny\n' }, '/etc/hosts': { type: 'delete', content: 'z' } },
    '/srv',
  );
  expect(patch).toBe(
    'diff --git a//etc/hosts b//etc/hosts\n@@ -1,1 +0,0 @@\n-z\ndiff --git a/a.txt b/a.txt\n@@ -0,0 +1,2 @@\n+x\n+y',
  );
});

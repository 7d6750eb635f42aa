import { expect, test } from 'vitest';
import type { InboxRow } from '../../engine/ports.js';
import { answerWays, itemLines } from './item-view.js';

const item = (kind: string) => answerWays({ item: 7, kind, run: 'env_1', title: 'How?', key: 'question-1' } as never);

test.each([
  ['clarification', ['baton answer 7 --text "…"']],
  ['confirmation', ['baton answer 7 --approve', 'baton answer 7 --deny']],
])('what an envelope asks (%s) is answered as it can be', (kind, commands) => {
  expect(item(kind).map(([command]) => command)).toEqual(commands);
});

test('what an orchestrator asks is answered with the answer, or not at all', () => {
  const asked = { item: 7, kind: 'clarification', run: 'bridge-a', title: 'request', key: 'request-1' } as const;
  expect(answerWays(asked).map(([command]) => command)).toEqual(['baton answer 7 --text "…"', 'baton answer 7 --deny']);
});

const ROW: InboxRow = {
  ...{ item: 9, run: 'shop-abc', key: '', kind: 'exec_approval', title: 'ls', question: 'May it run ls?' },
  ...{ askedAt: '2026-01-01T00:00:00.000Z', expiresAtMs: null, answeredAt: null },
};
const NOW_MS = Date.parse(ROW.askedAt) + 60_000;
const SESSION = { session: true, cwd: '/srv/app', hash: 'ab'.repeat(32), where: 'outside', again: null };
const COMMAND = {
  ...{ ...SESSION, wants: 'exec', argv: ['sh', '-c', 'make; rm -rf build'] },
  ...{ reason: 'it would run outside of the sandbox', justification: 'Baton has\nchecked it.' },
};
const shownOf = (details: object, more: object = {}, isWhole = false) =>
  itemLines({ ...ROW, ...more }, { details: { ...details }, answer: null, isWhole }, NOW_MS);

test('a command of a session is told whole: each word, where, why, and the words of the model as such', () => {
  const lines = shownOf({ ...COMMAND, again: 'unknown' });
  expect(lines.slice(0, 11)).toEqual([
    '9 · ls · shop-abc · asked 1 min ago',
    "  command   sh -c 'make; rm -rf build'",
    '            [0] "sh"',
    '            [1] "-c"',
    '            [2] "make; rm -rf build"',
    '  in        /srv/app',
    '  where     OUTSIDE of the sandbox',
    '  asked     it would run outside of the sandbox',
    '  the model "Baton has checked it." (its words; nobody has checked them)',
    '  again     it had begun before, and what came of it is not known',
    '  bound to  sha256:abababab…   exactly this',
  ]);
  const ways = lines.slice(12).map((line) => line.split('   ')[0]?.trim());
  const flags = ['--approve', '--for-session', '--deny --guidance "…"', '--abort'];
  expect(ways).toEqual(flags.map((flag) => `baton answer 9 ${flag}`));
});

const added = (lines: number) => ({ type: 'add', content: 'x\n'.repeat(lines) });

test('a change of a session is shown line by line, what lies outside of the folder first', () => {
  const changes = { 'a.txt': { type: 'update', unified_diff: '@@ -1 +1 @@\n-one\n+two\n' }, '/etc/hosts': added(1) };
  const lines = shownOf({ ...SESSION, wants: 'patch', changes }, { kind: 'patch_approval' });
  expect(lines.slice(1, 8)).toEqual([
    '  change    2 files, 1 OUTSIDE of its folder',
    '    A /etc/hosts   +1 -0',
    '      +x',
    '    M a.txt   +1 -1',
    '      @@ -1 +1 @@',
    '      -one',
    '      +two',
  ]);
});

test('of a long change every file is named, and how to see all of it', () => {
  const changes = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`dir/file-${n}.txt`, added(50)]));
  const asked = { ...SESSION, wants: 'patch', changes };
  const lines = shownOf(asked, { kind: 'patch_approval' });
  for (let n = 0; n < 40; n += 1) expect(lines).toContain(`    A dir/file-${n}.txt   +50 -0`);
  expect(lines).toContain('    … 1980 more lines. All of it: baton inbox 9 --all');
  expect(lines.length).toBeLessThan(130);
  const whole = shownOf(asked, { kind: 'patch_approval' }, true);
  expect(whole.filter((line) => line === '      +x')).toHaveLength(2_000);
});

test('one that is over says who answered it and how', () => {
  const row = { ...ROW, answeredAt: '2026-01-01T00:00:30.000Z' };
  const answer = { by: 'eva', at: row.answeredAt, did: 'denied this' };
  expect(itemLines(row, { details: {}, answer, isWhole: false }, NOW_MS)).toEqual([
    '9 · ls · shop-abc · asked 1 min ago',
    '  eva denied this 30 s ago, at 2026-01-01T00:00:30.000Z',
  ]);
});

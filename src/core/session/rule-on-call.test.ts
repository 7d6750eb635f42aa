import { describe, expect, test } from 'vitest';
import { ruleOnCall } from './rule-on-call.js';
import type { ApprovalPolicy, CallFacts, CallKind, SandboxPolicy } from './session-messages.js';

/** H: a sandbox holds it, S: it is known to only read, W: the model wants it outside. */
const COLUMNS = ['HS', 'H', 'HSW', 'HW', 'S', '', 'SW', 'W'] as const;
/** b: begins, a: a person is asked, r: refused. One letter for each column, for a command that no rule is about. */
const TABLE: Readonly<Record<ApprovalPolicy, Readonly<Record<SandboxPolicy['mode'], string>>>> = {
  untrusted: { 'read-only': 'baaabaaa', 'workspace-write': 'baaabaaa', 'danger-full-access': 'aaaaaaaa' },
  'on-failure': { 'read-only': 'bbaabaaa', 'workspace-write': 'bbaabaaa', 'danger-full-access': 'baaabaaa' },
  'on-request': { 'read-only': 'bbaabaaa', 'workspace-write': 'bbaabaaa', 'danger-full-access': 'baaabaaa' },
  never: { 'read-only': 'bbrrrrrr', 'workspace-write': 'bbrrrrrr', 'danger-full-access': 'bbbbbbbb' },
};
/** Of a tool of a server, holds says that it is used without asking; one that only reads needs no yes under any policy. */
const NEVER_ASKED_SERVER = 'bbrrbrrr';

const APPROVALS = Object.keys(TABLE) as ApprovalPolicy[];
const MODES = Object.keys(TABLE.never) as SandboxPolicy['mode'][];
const KINDS: readonly CallKind[] = ['exec', 'patch', 'mcp'];
const RULES = ['deny', 'ask', 'allow', null] as const;

type Cell = { approval: ApprovalPolicy; mode: SandboxPolicy['mode']; kind: CallKind; rule: CallFacts['rule'] };
const CELLS: readonly Cell[] = APPROVALS.flatMap((approval) =>
  MODES.flatMap((mode) => KINDS.flatMap((kind) => RULES.map((rule) => ({ approval, mode, kind, rule })))),
);

function rulingOf(
  { approval, mode, kind, rule }: Cell,
  column: (typeof COLUMNS)[number],
  reason: string | null = null,
) {
  const sandbox = { mode, writableRoots: [], networkAccess: false };
  const [holds, isKnownSafe, wantsOutside] = ['H', 'S', 'W'].map((letter) => column.includes(letter)) as [
    boolean,
    boolean,
    boolean,
  ];
  return ruleOnCall({ approval, sandbox }, kind, { holds, isKnownSafe, wantsOutside, rule, reason });
}

/** What a rule of the user changes in a row. */
function expectedRow({ approval, mode, kind, rule }: Cell): string {
  const isServer = kind === 'mcp' && approval === 'never' && mode !== 'danger-full-access';
  const row = isServer ? NEVER_ASKED_SERVER : TABLE[approval][mode];
  if (rule === 'deny') return 'rrrrrrrr';
  if (rule === 'ask') return approval === 'never' ? 'rrrrrrrr' : 'aaaaaaaa';
  // An allow counts only inside of a sandbox that holds.
  return rule === 'allow' ? `bb${row.slice(2)}` : row;
}

describe('what becomes of a call', () => {
  test.each(CELLS)('[R505] [R509] $approval, $mode, $kind, rule $rule', (cell) => {
    const row = COLUMNS.map((column) => rulingOf(cell, column).ruling[0]).join('');
    expect(row).toBe(expectedRow(cell));
  });

  test('nobody who is never asked waits, and nothing that is denied begins', () => {
    for (const cell of CELLS) {
      for (const column of COLUMNS) {
        const { ruling } = rulingOf(cell, column);
        if (cell.approval === 'never') expect(ruling).not.toBe('ask');
        const isServer = cell.kind === 'mcp' && cell.mode !== 'danger-full-access';
        if (isServer && rulingOf({ ...cell, approval: 'on-request' }, column).ruling === 'ask') {
          expect(rulingOf({ ...cell, approval: 'never' }, column).ruling).toBe('refuse');
        }
        if (cell.rule === 'deny') expect(ruling).toBe('refuse');
      }
    }
  });

  test('it is inside only of a sandbox that holds, and begins outside by itself only where it touches nothing', () => {
    for (const cell of CELLS) {
      for (const column of COLUMNS) {
        const ruling = rulingOf(cell, column);
        if (ruling.ruling === 'refuse') continue;
        const isFree = cell.mode === 'danger-full-access';
        const isInside = !isFree && cell.kind !== 'mcp' && column.includes('H') && !column.includes('W');
        expect(ruling.where).toBe(isInside ? 'inside' : 'outside');
        if (ruling.ruling === 'begin' && !isInside && cell.kind !== 'mcp') {
          expect(isFree || column === 'S').toBe(true);
        }
      }
    }
  });

  test('the reason that is known is the one that is told', () => {
    const cell: Cell = { approval: 'untrusted', mode: 'read-only', kind: 'exec', rule: null };
    expect(rulingOf(cell, 'H', 'no rule allows npm')).toMatchObject({ reason: 'no rule allows npm' });
    expect(rulingOf(cell, 'H')).toMatchObject({ reason: 'it is not known to be safe' });
    expect(rulingOf({ ...cell, approval: 'never' }, 'HW', 'it wants more')).toMatchObject({
      reason: 'it wants more, and the approval policy is never, so nobody is asked',
    });
  });
});

/** Boards to look at: one in the middle of its work, one that is over, an empty one, a hostile one, a very long one. */

import type { BoardRow, LedgerBoard, LedgerTask } from '../../src/contracts/api/ledger-shapes.js';

const RUN = '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4';
const OPENED_MS = Date.parse('2026-11-16T13:30:00.000Z');
const MINUTE = 60_000;

/** A moment so many minutes after the run was opened. */
export const minute = (count: number): string => new Date(OPENED_MS + Math.round(count * MINUTE)).toISOString();

type Attempt = BoardRow['attempts'][number];
type Given = Partial<Omit<LedgerTask, 'task_id'>> &
  Partial<Omit<BoardRow, 'task_id' | 'attempts'>> & { at?: (readonly [number, number | null, Attempt['end']?])[] };

function taskOf(id: string, given: Given): { task: LedgerTask; row: BoardRow } {
  const { status = 'todo', owner = '', code = null, lock_scope = ['src'], at = [] } = given;
  const attempts = at.map(([from, to, end], index): Attempt => {
    const last = index === at.length - 1;
    const ended = to === null ? null : (end ?? (last && status === 'done' ? 'done' : 'again'));
    return {
      ...{ attempt: index + 1, owner, run_id: `${RUN}.${id}.${index + 1}`, from: minute(from) },
      ...{ to: to === null ? null : minute(to), end: ended, code: ended === 'done' ? null : code },
    };
  });
  const { title = id, reason = null, dependencies = [], attempt = attempts.length } = given;
  const task = { task_id: id, title, status, owner, attempt, code, reason, dependencies, lock_scope };
  const row: BoardRow = {
    ...{
      task_id: id,
      priority: given.priority ?? 'normal',
      type: given.type ?? 'parallelizable',
      agent: given.agent ?? null,
    },
    ...{ forbidden_scope: given.forbidden_scope ?? [], timeout_seconds: given.timeout_seconds ?? 1_200 },
    ...{
      heartbeat_at: given.heartbeat_at ?? null,
      waits_for: given.waits_for ?? [],
      criteria: given.criteria ?? { proven: 0, of: 2 },
    },
    ...{ commit: given.commit ?? null, item: given.item ?? null, attempts },
  };
  return { task, row };
}

function boardOf(
  tasks: Record<string, Given>,
  given: Partial<Omit<LedgerBoard, 'ledger'>> & { status: LedgerBoard['ledger']['status'] },
): LedgerBoard {
  const made = Object.entries(tasks).map(([id, one]) => taskOf(id, one));
  const { status, ...rest } = given;
  const list = made.map(({ task }) => task);
  const blocked = list.filter((task) => task.status === 'blocked');
  return {
    ledger: {
      ...{ run_id: RUN, status, version: 27, tasks: list },
      active_locks: list
        .filter((task) => task.status === 'in_progress')
        .flatMap(({ task_id, lock_scope }) =>
          lock_scope.map((resource) => ({ task_id, resource, active: true as const })),
        ),
      blockers: blocked.map(({ task_id, code, reason }) => ({
        task_id,
        code: code ?? 'NON_COMPLIANT',
        reason: reason ?? '',
      })),
    },
    ...{ objective: 'Split billing module into services', repository: '/home/mira/shop', branch: `baton/${RUN}` },
    ...{ opened_at: minute(0), at: minute(41.7), rested_at: null, cost_usd: 6.4, tokens: 2_412_000 },
    rows: made.map(({ row }) => row),
    metrics: { packets_valid: 1, lock_conflicts: 0.02, first_pass: 0.86, retry_success: null },
    issues: [],
    ...rest,
  };
}

export const UNDER_WAY = boardOf(
  {
    'T-1': {
      title: 'Map module boundaries',
      status: 'done',
      owner: 'claude-arch',
      lock_scope: ['docs/map.md'],
      at: [[1, 9]],
      criteria: { proven: 3, of: 3 },
      commit: 'a1b2c3d4',
    },
    'T-2': {
      title: 'Extract money types',
      status: 'done',
      owner: 'codex-1',
      lock_scope: ['src/billing/money'],
      dependencies: ['T-1'],
      at: [[9, 22]],
      criteria: { proven: 4, of: 4 },
      commit: 'b1b2c3d4',
    },
    'T-3': {
      title: 'Extract tax rules',
      status: 'done',
      owner: 'codex-2',
      lock_scope: ['src/billing/tax'],
      dependencies: ['T-1'],
      at: [[9, 28]],
      criteria: { proven: 4, of: 4 },
      commit: 'c1b2c3d4',
    },
    'T-4': {
      title: 'Move invoice renderer',
      status: 'in_progress',
      owner: 'codex-1',
      lock_scope: ['src/billing/invoice'],
      forbidden_scope: ['infra'],
      dependencies: ['T-2', 'T-3'],
      at: [[23, null]],
      heartbeat_at: minute(41.55),
      criteria: { proven: 3, of: 4 },
      timeout_seconds: 720,
    },
    'T-5': {
      title: 'Port ledger queries',
      status: 'done',
      owner: 'codex-3',
      lock_scope: ['src/ledger'],
      dependencies: ['T-1'],
      at: [[10, 34]],
      criteria: { proven: 5, of: 5 },
      commit: 'd1b2c3d4',
    },
    'T-6': {
      title: 'Payment adapters',
      status: 'blocked',
      owner: 'codex-2',
      lock_scope: ['src/payments'],
      dependencies: ['T-3'],
      at: [
        [28.2, 32.2],
        [32.9, 37.4, 'blocked'],
      ],
      code: 'TASK_TIMEOUT',
      reason: 'codex-2 sent no heartbeat for 240 s in attempt 2; its processes were ended and its paths released',
      criteria: { proven: 0, of: 4 },
      item: 45,
    },
    'T-7': {
      title: 'Contract tests',
      status: 'in_progress',
      owner: 'codex-3',
      lock_scope: ['test/contract'],
      forbidden_scope: ['infra'],
      dependencies: ['T-5'],
      at: [[34.5, null]],
      heartbeat_at: minute(41.2),
      criteria: { proven: 2, of: 5 },
      timeout_seconds: 780,
    },
    'T-8': {
      title: 'Update API docs',
      status: 'in_progress',
      owner: 'claude-docs',
      lock_scope: ['docs/api'],
      forbidden_scope: ['infra'],
      dependencies: ['T-1'],
      at: [[35, null]],
      heartbeat_at: minute(41.6),
      timeout_seconds: 500,
    },
    'T-9': {
      title: 'Remove old module',
      status: 'todo',
      lock_scope: ['src/billing'],
      type: 'serial',
      dependencies: ['T-4', 'T-6', 'T-7'],
      waits_for: [{ task_id: 'T-4', resource: 'src/billing/invoice' }, { task_id: 'T-6' }, { task_id: 'T-7' }],
    },
    'T-10': {
      title: 'Changelog',
      status: 'todo',
      lock_scope: ['docs/api/changes.md', 'CHANGELOG.md'],
      waits_for: [{ task_id: 'T-8', resource: 'docs/api' }],
    },
    'T-11': {
      title: 'Tidy imports',
      status: 'done',
      owner: 'codex-1',
      lock_scope: ['src/imports.ts'],
      at: [[1, 2.5]],
      criteria: { proven: 1, of: 1 },
      commit: 'e1b2c3d4',
    },
    'T-12': { title: 'Old fixtures', status: 'canceled', lock_scope: ['test/old'] },
  },
  { status: 'running' },
);

export const FINISHED = boardOf(
  {
    'T-1': {
      title: 'Write the parser',
      status: 'done',
      owner: 'codex',
      lock_scope: ['src/parse.ts'],
      at: [[0, 0.4]],
      criteria: { proven: 2, of: 2 },
      commit: 'a1',
    },
    'T-2': {
      title: 'Write its tests',
      status: 'done',
      owner: 'claude',
      lock_scope: ['test/parse.test.ts'],
      dependencies: ['T-1'],
      at: [
        [0.4, 0.7],
        [0.8, 1.3],
      ],
      criteria: { proven: 1, of: 1 },
      commit: 'b1',
    },
  },
  {
    status: 'done',
    rested_at: minute(1.4),
    at: minute(90),
    cost_usd: 0,
    tokens: 84_000,
    metrics: { packets_valid: 0.975, lock_conflicts: 0, first_pass: 0.5, retry_success: 1 },
  },
);

export const EMPTY = boardOf(
  {},
  {
    status: 'todo',
    at: minute(0),
    cost_usd: 0,
    tokens: 0,
    metrics: { packets_valid: null, lock_conflicts: null, first_pass: null, retry_success: null },
  },
);

export const HOSTILE = boardOf(
  {
    'T-1': {
      title: '\u001b[31mred\u202e 田中さんの仕事 <script>alert(1)</script>',
      status: 'failed',
      owner: 'x\u0007y',
      lock_scope: ['src/\u202etxt', 'b'],
      at: [[0, 2, 'failed']],
      code: 'SCOPE_VIOLATION',
      reason: `wrote ${'very/'.repeat(40)}deep.ts\u001b]52;c;aGk=\u0007`,
    },
    '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf5': {
      title: 'é'.repeat(500),
      status: 'in_progress',
      owner: 'o'.repeat(60),
      lock_scope: ['.'],
      at: [[1, null]],
    },
  },
  {
    status: 'failed',
    at: minute(3),
    objective: 'line one\nline two\u001b[2J',
    issues: [{ task_id: 'T-1', reason: 'T-1 is failed but still locks b' }],
  },
);

const LONG_TASKS = 10_000;

/** Ten at work at once, each ten tasks later. */
export function longBoard(): LedgerBoard {
  const tasks: Record<string, Given> = {};
  for (let number = 1; number <= LONG_TASKS; number += 1) {
    const [begun, ended] = [number / 100, number / 100 + 0.4];
    const done = number <= 4_000;
    const active = !done && number <= 4_010;
    tasks[`T-${number}`] = {
      ...{
        title: `Task number ${number}`,
        lock_scope: [`src/part-${number}`],
        owner: done || active ? `codex-${number % 10}` : '',
      },
      ...(done && {
        status: 'done' as const,
        at: [[begun, ended]] as const,
        criteria: { proven: 2, of: 2 },
        commit: 'a1',
      }),
      ...(active && { status: 'in_progress' as const, at: [[40, null]] as const, heartbeat_at: minute(41.5) }),
      ...(!done && !active && { dependencies: [`T-${number - 10}`], waits_for: [{ task_id: `T-${number - 10}` }] }),
    };
  }
  return boardOf(tasks, { status: 'running' });
}

import { expect, test } from 'vitest';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { bytesOf, ORDER_BYTES_MAX, TASK_BYTES_MAX } from './event-sizes.js';
import { ledgerDecider } from './ledger-decider.js';
import { beginKey } from './ledger-effects.js';
import type { LedgerCommand, LedgerOrder } from './ledger-messages.js';
import type { Ledger, LiveLedger } from './ledger-state.js';

/** What the store takes for one event. */
const EVENT_BYTES_MAX = 64 * 1024;
const WORD = '漢';

const ORDER: LedgerOrder = {
  ...{ run: 'r', objective: 'Do it', constraints: {}, concurrency: 9, context: [], repository: '/r', project: 'r' },
  ...{ agent: 'a', fallback: null, planner: null, env: [], network: [], limits: {} },
};

function task(id: string, scope: string): PlanTask {
  return {
    ...{ task_id: id, title: id, type: 'parallelizable', dependencies: [], forbidden_scope: [] },
    lock_scope: [`${id}/${scope}`, `${id}-more/${scope}`],
    ...{ acceptance_criteria: ['it works'], worklog_path: `w/${id}.jsonl` },
    ...{ timeout_seconds: 60, heartbeat_interval_seconds: 5 },
  };
}

function give(ledger: Ledger, command: object): Ledger | string {
  const decision = ledgerDecider.decide(ledger, { atMs: 1, ...command } as LedgerCommand);
  if ('refusal' in decision) return decision.refusal.code;
  return decision.events.reduce<Ledger>((state, event) => ledgerDecider.evolve(state, event), ledger);
}

const fitting = (build: (words: number) => unknown, max: number): number => {
  let words = 0;
  while (bytesOf(build(words + 10)) <= max) words += 10;
  return words;
};
const order = (words: number): LedgerOrder => ({ ...ORDER, context: [{ kind: 'note', value: WORD.repeat(words) }] });
const largest = (id: string, words: number): PlanTask => task(id, WORD.repeat(words));

test('the largest plan that is taken begins all its tasks, each in one event; a larger one is refused', () => {
  const [inOrder, inTask] = [
    fitting(order, ORDER_BYTES_MAX),
    fitting((words) => largest('T-1', words), TASK_BYTES_MAX),
  ];
  const tasks = ['T-1', 'T-2', 'T-3', 'T-4', 'T-5', 'T-6'].map((id) => largest(id, inTask));
  const opened = give({ status: 'new' }, { type: 'Open', order: order(inOrder), tasks }) as LiveLedger;
  const going = give(opened, { type: 'Go', concurrency: null, agent: null, fallback: null }) as LiveLedger;
  const begun = give(going, { type: 'Woke', key: beginKey(going) }) as LiveLedger;
  const children = [...ledgerDecider.outstanding(begun)].filter((effect) => effect.type === 'Child');
  expect(children).toHaveLength(6);
  for (const { begin } of children) expect(bytesOf(begin?.command)).toBeLessThan(EVENT_BYTES_MAX - 1_024);

  const fresh: Ledger = { status: 'new' };
  expect(give(fresh, { type: 'Open', order: order(inOrder + 20), tasks })).toBe('PAYLOAD_TOO_LARGE');
  expect(give(fresh, { type: 'Open', order: ORDER, tasks: [largest('T-1', inTask + 20)] })).toBe('PAYLOAD_TOO_LARGE');
});

test('a delta makes no task that is too large to be given to anybody', () => {
  const opened = give({ status: 'new' }, { type: 'Open', order: ORDER, tasks: [largest('T-1', 1)] }) as LiveLedger;
  const delta = { delta_id: 'd', task_id: 'T-2', status: 'todo', owner: 'eva', reason: WORD.repeat(8_000) };
  expect(give(opened, { type: 'TakeDelta', delta, base: null })).toBe('PAYLOAD_TOO_LARGE');
});

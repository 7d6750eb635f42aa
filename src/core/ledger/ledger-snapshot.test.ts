import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import type { Effect } from '../kernel/effect.js';
import { ledgerDecider } from './ledger-decider.js';
import type { LedgerCommand, LedgerEvent, LedgerOrder } from './ledger-messages.js';
import type { Ledger, LiveLedger } from './ledger-state.js';

const ORDER: LedgerOrder = {
  ...{ run: 'r', objective: 'Do it', constraints: {}, concurrency: 3, context: [], repository: '/r', project: 'r' },
  ...{ agent: 'a', fallback: null, planner: 'p', env: [], network: [], limits: { tokens: 2_000 } },
};
const SCOPES = ['a', 'a/b', 'b', 'c', 'C'];

function task(number: number): PlanTask {
  return {
    ...{ task_id: `T-${number}`, title: 't', type: number % 5 === 4 ? 'serial' : 'parallelizable' },
    ...{ dependencies: number % 3 === 2 ? [`T-${number - 1}`] : [], lock_scope: [SCOPES[number % 5] ?? 'a'] },
    ...{ forbidden_scope: [], acceptance_criteria: ['c'], worklog_path: 'w', timeout_seconds: 30 },
    heartbeat_interval_seconds: 5,
  };
}

const OUTCOMES = [
  { status: 'done' },
  { status: 'failed', code: 'AGENT_FAILED', reason: 'no' },
  { status: 'failed', code: 'AGENT_FAILED', reason: 'no', retryAfterMs: 4_000 },
  { status: 'blocked', code: 'TASK_BLOCKED', reason: 'no' },
  { status: 'blocked', code: 'TASK_TIMEOUT', reason: 'no' },
];
const STATUSES = ['todo', 'in_progress', 'blocked', 'failed', 'canceled'];
const USED = { usage: { inputTokens: 10, outputTokens: 5, costMicroUsd: 3 }, activeMs: 7, proven: 0, worklog: null };

/** What somebody might do next, chosen by a number. */
function commandFor(ledger: LiveLedger, choice: number, step: number): object | undefined {
  const pick = <Value>(values: readonly Value[], by: number): Value | undefined => values[by % values.length];
  const rows = [...ledger.tasks.values()];
  const row = pick(rows, choice >> 4);
  const id = row?.spec.task_id ?? 'T-0';
  const outcome = pick(OUTCOMES, choice >> 8);
  const work = outcome?.status === 'done' && choice % 2 === 0 ? { base: 'b', commit: 'c' } : null;
  switch (choice % 16) {
    case 0:
      return { type: 'Go', concurrency: null, agent: null, fallback: choice & 512 ? 'f' : null };
    case 1:
      return { type: 'Assign', task: id, owner: 'eva' };
    case 2:
      return { type: 'Claim', owner: 'eva' };
    case 3:
      return { type: 'HandIn', task: id, epoch: row?.epoch ?? null, outcome, shown: { proven: 0, worklog: null } };
    case 4:
    case 5:
      return { type: 'Report', task: id, attempt: row?.attempt ?? 0, outcome, work, ...USED };
    case 6: {
      const status = pick(STATUSES, choice >> 9);
      const task_id = choice & 4096 ? `T-${100 + step}` : id;
      const delta = { task_id, status, owner: 'o', reason: 'r', delta_id: `d-${step}`, retry_after_ms: choice % 3 };
      return { type: 'TakeDelta', delta, base: null };
    }
    case 7:
      return { type: 'Tick', beats: {} };
    case 8:
      return { type: 'Plan' };
    case 9: {
      const deltas = [
        { task_id: id, status: pick(STATUSES, choice >> 9), owner: 'o', reason: 'r', delta_id: `p-${step}` },
      ];
      const planned = { status: 'planned', tasks: [{ ...task(1), task_id: `T-${200 + step}` }], deltas };
      return { type: 'TakePlan', plan: ledger.plan.asked, outcome: planned, usage: USED.usage, activeMs: 1 };
    }
    case 10: {
      const question = pick([...ledger.questions.keys()], choice >> 4) ?? 0;
      const again = { type: 'again', agent: choice & 1024 ? 'b' : null, longer: true };
      return { type: 'AnswerBlocker', question, answer: choice & 2048 ? { type: 'give-up' } : again };
    }
    case 11:
      return { type: 'Raise', limits: { tokens: ledger.spent.tokens + 500 } };
    default:
      return fulfilled(pick([...ledgerDecider.outstanding(ledger)], choice >> 4), choice);
  }
}

function fulfilled(effect: Effect | undefined, choice: number): object | undefined {
  switch (effect?.type) {
    case 'Wake':
      return { type: 'Woke', key: effect.key };
    case 'Child':
      return { type: 'Ended', key: effect.key, run: effect.run, status: 'reported' };
    case 'Tell':
      return { type: 'Told', key: effect.key, accepted: true };
    case 'Notify':
      return { type: 'Notified', key: effect.key };
    case 'Perform': {
      const { merges = [] } = effect.input as { merges?: { task: string; attempt: number }[] };
      const merged = merges.map(({ task, attempt }, index) =>
        (choice + index) & 256 ? { task, attempt, conflicts: ['x'] } : { task, attempt, commit: 'm' },
      );
      const result = effect.deed === 'ledger.beats' ? { beats: {} } : choice & 512 ? { problem: 'no' } : { merged };
      return { type: 'Performed', key: effect.key, result };
    }
    default:
      return undefined;
  }
}

const seen = (ledger: Ledger) =>
  JSON.parse(
    JSON.stringify({
      kept: ledgerDecider.snapshot?.encode(ledger),
      owed: [...ledgerDecider.outstanding(ledger)].map((effect) => effect.key).sort(),
      summary: ledgerDecider.summary(ledger),
    }),
  );

test('a ledger is the same from its snapshot, from its events, and as it was folded', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1 << 14), { minLength: 20, maxLength: 120 }), (choices) => {
      const events: LedgerEvent[] = [];
      let [live, kept] = [ledgerDecider.initialState(), ledgerDecider.initialState()];
      let atMs = 1_000;
      const give = (command: object): void => {
        const decision = ledgerDecider.decide(live, { atMs, ...command } as LedgerCommand);
        if ('refusal' in decision) return;
        const written = JSON.parse(JSON.stringify(decision.events)) as LedgerEvent[];
        for (const event of written) {
          live = ledgerDecider.evolve(live, event);
          kept = ledgerDecider.evolve(kept, event);
        }
        events.push(...written);
      };
      give({ type: 'Open', order: ORDER, tasks: Array.from({ length: 8 }, (_, index) => task(index)) });
      for (const [step, choice] of choices.entries()) {
        atMs += choice % 7 === 0 ? 40_000 : 1_000;
        const command = commandFor(live as LiveLedger, choice, step);
        if (command) give(command);
        if (choice % 5 === 0)
          kept =
            ledgerDecider.snapshot?.decode(JSON.parse(JSON.stringify(ledgerDecider.snapshot.encode(kept)))) ?? kept;
      }
      expect(seen(kept)).toEqual(seen(live));
      const copies = JSON.parse(JSON.stringify(events)) as LedgerEvent[];
      expect(
        seen(copies.reduce((ledger, event) => ledgerDecider.evolve(ledger, event), ledgerDecider.initialState())),
      ).toEqual(seen(live));
      const { owes } = ledgerDecider.summary(live);
      const acts = [...ledgerDecider.outstanding(live)].some((effect) => effect.type !== 'Wake' || effect.atMs === 0);
      expect(owes, 'what is owed').toBe(acts);
    }),
    { numRuns: 400 },
  );
});

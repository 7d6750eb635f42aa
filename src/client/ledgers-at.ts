import type { Claim, LedgerBoard, LedgerObject } from '../contracts/api/ledger-shapes.js';
import type { Page } from '../contracts/api/page.js';
import type { Assignment } from '../contracts/generated/types/assignment.js';
import type { HandoffBundle } from '../contracts/generated/types/handoff-bundle.js';
import type { LedgerActBody } from '../contracts/generated/types/ledger-act.js';
import type { LedgerOrderBody } from '../contracts/generated/types/ledger-order.js';
import type { SubagentResult } from '../contracts/generated/types/subagent-result.js';
import type { WorklogEntry } from '../contracts/generated/types/worklog-entry.js';
import type { LedgerDeltaInput } from '../contracts/operator/ledger-delta.js';
import type { Wire } from './wire.js';

type Keyed = { key?: string };
/** The number of a claim; none after an assignment by name. */
type Epoch = { epoch?: number };

const LEDGERS = '/api/v1/ledgers';
const at = (run: string, part = ''): string => `${LEDGERS}/${encodeURIComponent(run)}${part}`;

/** Ledgers, and what can be done with them. */
export function ledgersAt(wire: Wire) {
  const post = <Said>(run: string, part: string, body: unknown, keyed: Keyed) =>
    wire.post<Said>(at(run, part), body, keyed);
  return {
    /** No task is begun. */
    create: (order: LedgerOrderBody, keyed: Keyed = {}) => wire.post<LedgerObject>(LEDGERS, order, keyed),
    get: (run: string) => wire.get<LedgerObject>(at(run)),
    board: (run: string) => wire.get<LedgerBoard>(at(run, '/board')),
    locks: (run: string) => wire.get<Pick<LedgerObject, 'run_id' | 'active_locks'>>(at(run, '/locks')),
    worklog: (run: string, task?: string) => wire.get<Page<WorklogEntry>>(at(run, '/worklog'), { task }),
    /** What the agent of an attempt printed behind a byte; `run` is the attempt's own, `tries` counts from 1. */
    log: (run: string, { tries, after = 0 }: { tries: number; after?: number }) =>
      wire.get<{ text: string; next: number }>(`/api/v1/attempts/${encodeURIComponent(run)}/log`, {
        try: tries,
        after,
      }),
    handoff: (run: string) => wire.get<HandoffBundle>(at(run, '/handoff')),
    /** Throws with every contradiction there is. */
    reconcile: (run: string) => wire.get<LedgerObject>(at(run, '/reconcile')),
    /** It has begun when this resolves, not ended. */
    run: (run: string, pace: Pick<LedgerActBody, 'concurrency' | 'agent' | 'fallback'> = {}, keyed: Keyed = {}) =>
      post<LedgerObject>(run, '/run', pace, keyed),
    /** Whoever plans is asked once more; what comes of it is in the events. */
    plan: (run: string, keyed: Keyed = {}) => post<LedgerObject>(run, '/plan', {}, keyed),
    tick: (run: string, keyed: Keyed = {}) => post<LedgerObject>(run, '/tick', {}, keyed),
    assign: (run: string, said: { task_id: string; owner: string }, keyed: Keyed = {}) =>
      post<Assignment>(run, '/assignments', said, keyed),
    /** Whoever is silent for longer than the task allows loses it. */
    claim: (run: string, said: { owner?: string } = {}, keyed: Keyed = {}) => post<Claim>(run, '/claim', said, keyed),
    heartbeat: (run: string, said: { task_id: string; at?: string } & Epoch) =>
      post<LedgerObject>(run, '/heartbeats', said, {}),
    /** The result itself, or a text that holds it. */
    result: (run: string, result: SubagentResult | string, { epoch }: Epoch = {}, keyed: Keyed = {}) =>
      post<LedgerObject>(run, '/results', { result, ...(epoch !== undefined && { epoch }) }, keyed),
    delta: (run: string, deltas: LedgerDeltaInput, keyed: Keyed = {}) =>
      post<LedgerObject>(run, '/deltas', deltas, keyed),
  };
}

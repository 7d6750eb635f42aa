import type { BatonClient } from '../client/create-client.js';
import type { LedgerOrderBody } from '../contracts/generated/types/ledger-order.js';
import type { LedgerDeltaInput } from '../contracts/operator/ledger-delta.js';
import type { OperatorDesk } from '../engine/desk.js';
import type { LedgerOptions } from '../engine/operator/open-ledger.js';

/** Operator runs of a server. What a payload has to be is judged there. */
export function remoteOperator({ ledgers }: BatonClient): OperatorDesk {
  return {
    init: async (plan, options) => (await ledgers.create(orderOf({ plan }, options))).run_id,
    takeOver: async (handoff, options) => (await ledgers.create(orderOf({ handoff }, options))).run_id,
    plan: async ({ global_objective }, options) =>
      (await ledgers.create(orderOf({ objective: global_objective }, options))).run_id,
    replan: async (run) => void (await ledgers.plan(run)),
    go: async (run, pace) => void (await ledgers.run(run, withoutNulls(pace))),
    assign: (run, task, owner) => ledgers.assign(run, { task_id: task, owner }),
    claim: (run, owner) => ledgers.claim(run, { owner }),
    heartbeat: async (run, task, { epoch, at }) =>
      void (await ledgers.heartbeat(run, {
        task_id: task,
        ...withoutNulls({ epoch }),
        ...(at !== undefined && { at }),
      })),
    resultText: async (run, text, { epoch }) => void (await ledgers.result(run, text, withoutNulls({ epoch }))),
    delta: async (run, deltas) => void (await ledgers.delta(run, deltas as LedgerDeltaInput)),
    tick: async (run) => void (await ledgers.tick(run)),
    reconcile: async (run) => void (await ledgers.reconcile(run)),
    object: (run) => ledgers.get(run),
    board: (run) => ledgers.board(run),
    worklog: async (run, task) => [...(await ledgers.worklog(run, task ?? undefined)).items],
    handoff: (run) => ledgers.handoff(run),
  };
}

function orderOf(
  work: { plan: unknown } | { handoff: unknown } | { objective: string },
  options: LedgerOptions,
): LedgerOrderBody {
  const { limits, network, env, ...said } = options;
  const { interactions: _, ...amounts } = limits ?? {};
  return { ...work, ...said, ...amounts, ...(env && { env }), ...(network && { net: network }) } as LedgerOrderBody;
}

/** What is not said is absent there. */
function withoutNulls<Said extends object>(said: Said): { [Name in keyof Said]?: Exclude<Said[Name], null> } {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== undefined)) as never;
}

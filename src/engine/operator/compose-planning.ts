import type { LiveLedger } from '../../core/ledger/ledger-state.js';
import { bundleOf } from './handoff-bundle.js';

/** What whoever plans is asked: everything about the run, and the form of the answer. */
export function planningRequest(ledger: LiveLedger, heard: ReadonlyMap<string, number>, atMs: number): object {
  const { order, plan } = ledger;
  return {
    packet_type: 'planning',
    run_id: order.run,
    ask: plan.asked > 1 ? 'replan' : 'plan',
    global_objective: order.objective,
    handoff_bundle: bundleOf(ledger, heard, atMs),
    output_schema: 'orchestrator_output_v1',
  };
}

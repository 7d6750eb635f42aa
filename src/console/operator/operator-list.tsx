import { useCallback, useEffect, useState } from 'react';
import type { Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { useChangedRuns } from '../live/use-changed-runs.js';
import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { byAttention } from '../runs/attention.js';
import { RunTable } from '../runs/run-table.js';

const RUNS_MAX = 1_000;

/** Every run of the operator; those that wait for somebody stand on top when the page is opened. */
export function OperatorList() {
  const { runs, error, again } = useLedgerRuns();
  return (
    <div className="pad">
      <div className="row wrap tools">
        <h1>Operator</h1>
        <span className="sp" />
        <div className="hide-s">
          <CommandLine command="baton operator run PLAN.json" />
        </div>
      </div>
      {error && (
        <p className="banner refused" role="alert">
          Runs could not be read: {error.message}.
          <button type="button" className="btn s" onClick={again}>
            Try again
          </button>
        </p>
      )}
      {runs !== null && runs.length === 0 && <NoRuns />}
      {runs !== null && runs.length > 0 && (
        <>
          <RunTable runs={runs} base="/operator" />
          <p className="sm t2 under">{grouped(runs.length)} shown. Rows keep their place while you read.</p>
        </>
      )}
    </div>
  );
}

function NoRuns() {
  return (
    <div className="card in empty">
      <p className="t2">
        Runs of several agents in one repository come here: who does what, who may write where, and what is in the way.
        Begin with a plan of tasks:
      </p>
      <CommandLine command="baton operator run PLAN.json" />
    </div>
  );
}

/** Rows change in place; what is new is added below. */
function useLedgerRuns(): { runs: readonly Run[] | null; error: Error | null; again(): void } {
  const [state, setState] = useState<{ runs: readonly Run[] | null; error: Error | null }>({ runs: null, error: null });
  const read = useCallback(async (): Promise<void> => {
    try {
      const { items } = await client.runs({ kind: 'ledger', limit: RUNS_MAX });
      setState(({ runs }) => ({ runs: placed(runs, items), error: null }));
    } catch (error) {
      setState(({ runs }) => ({ runs, error: error as Error }));
      throw error;
    }
  }, []);
  const again = useCallback(() => void read().catch(() => {}), [read]);
  useEffect(again, [again]);
  useChangedRuns(read);
  return { ...state, again };
}

function placed(before: readonly Run[] | null, now: readonly Run[]): readonly Run[] {
  if (before === null) return now.toSorted(byAttention);
  const byId = new Map(now.map((run) => [run.run_id, run]));
  const kept = before.flatMap(({ run_id }) => byId.get(run_id) ?? []);
  const known = new Set(before.map(({ run_id }) => run_id));
  return [...kept, ...now.filter(({ run_id }) => !known.has(run_id))];
}

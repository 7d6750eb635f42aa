import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { RunTable } from '../runs/run-table.js';
import { useRunsOf } from '../runs/use-runs-of.js';

/** Every run of the operator; those that wait for somebody stand on top when the page is opened. */
export function OperatorList() {
  const { runs, error, again } = useRunsOf('ledger');
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

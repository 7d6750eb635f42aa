import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { useRunsOf } from '../runs/use-runs-of.js';
import { BridgeTable } from './bridge-table.js';

const BEGIN = 'baton bridge run -- python3 orchestrate.py';

/** Every bridge; those that wait for somebody stand on top when the page is opened. */
export function BridgeList() {
  const { runs, error, again } = useRunsOf('bridge');
  return (
    <div className="pad">
      <div className="row wrap tools">
        <h1>Bridges</h1>
        <span className="sp" />
        <div className="hide-s">
          <CommandLine command={BEGIN} />
        </div>
      </div>
      {error && (
        <p className="banner refused" role="alert">
          Bridges could not be read: {error.message}.
          <button type="button" className="btn s" onClick={again}>
            Try again
          </button>
        </p>
      )}
      {runs !== null && runs.length === 0 && <NoBridges />}
      {runs !== null && runs.length > 0 && (
        <>
          <BridgeTable runs={runs} />
          <p className="sm t2 under">{grouped(runs.length)} shown. Rows keep their place while you read.</p>
        </>
      )}
    </div>
  );
}

function NoBridges() {
  return (
    <div className="card in empty">
      <p className="t2">
        Programs that ask an agent and are resumed with its answer come here: who has the baton, which phase asks, and
        the files between them. Any program can do it: it writes a request, exits with 42, and is started again with{' '}
        <code>--resume</code>. Run one:
      </p>
      <CommandLine command={BEGIN} />
    </div>
  );
}

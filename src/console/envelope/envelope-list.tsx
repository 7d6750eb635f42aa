import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { useRunsOf } from '../runs/use-runs-of.js';
import { EnvelopeTable } from './envelope-table.js';

/** Every envelope; those that wait for somebody stand on top when the page is opened. */
export function EnvelopeList() {
  const { runs, error, again } = useRunsOf('envelope');
  return (
    <div className="pad">
      <div className="row wrap tools">
        <h1>Envelopes</h1>
        <span className="sp" />
        <div className="hide-s">
          <CommandLine command="baton envelope process envelope.json" />
        </div>
      </div>
      {error && (
        <p className="banner refused" role="alert">
          Envelopes could not be read: {error.message}.
          <button type="button" className="btn s" onClick={again}>
            Try again
          </button>
        </p>
      )}
      {runs !== null && runs.length === 0 && <NoEnvelopes />}
      {runs !== null && runs.length > 0 && (
        <>
          <EnvelopeTable runs={runs} />
          <p className="sm t2 under">{grouped(runs.length)} shown. Rows keep their place while you read.</p>
        </>
      )}
    </div>
  );
}

function NoEnvelopes() {
  return (
    <div className="card in empty">
      <p className="t2">
        Questions that pass through the stages of a pipeline come here: which stage is lit, what was reached, and how
        much is left of each bound. Make one:
      </p>
      <CommandLine command="baton envelope process envelope.json" />
    </div>
  );
}

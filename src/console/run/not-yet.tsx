import type { Run } from '../../client/index.js';
import { Words } from '../parts/shown-text.js';

type Props = {
  run: Run /** What could not be read, as in "bridge". */;
  what: string;
  error: Error | null;
  again(): void;
};

/** The page of a run before there is anything to show, or when it cannot be read. */
export function NotYet({ run, what, error, again }: Props) {
  return (
    <div className="pad stack" aria-busy={error === null}>
      <h1>
        <Words text={run.title} />
      </h1>
      {error && (
        <p className="banner refused" role="alert">
          <Words text={`The ${what} could not be read: ${error.message}.`} />
          <button type="button" className="btn s" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

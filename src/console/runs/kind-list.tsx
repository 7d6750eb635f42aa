import type { ComponentType, ReactNode } from 'react';
import type { Run } from '../../client/index.js';
import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { useRunsOf } from './use-runs-of.js';

type Props = {
  kind: string;
  title: string;
  /** The command that begins one. */
  begin: string;
  Table: ComponentType<{ runs: readonly Run[] }>;
  /** What stands there while there is none. */
  children: ReactNode;
};

/** Every run of a kind; those that wait for somebody stand on top when the page is opened. */
export function KindList({ kind, title, begin, Table, children }: Props) {
  const { runs, error, again } = useRunsOf(kind);
  return (
    <div className="pad" aria-busy={runs === null && error === null}>
      <div className="row wrap tools">
        <h1>{title}</h1>
        <span className="sp" />
        <div className="hide-s">
          <CommandLine command={begin} />
        </div>
      </div>
      {error && (
        <p className="banner refused" role="alert">
          {title} could not be read: {error.message}.
          <button type="button" className="btn s" onClick={again}>
            Try again
          </button>
        </p>
      )}
      {runs !== null && runs.length === 0 && <div className="card in empty">{children}</div>}
      {runs !== null && runs.length > 0 && (
        <>
          <Table runs={runs} />
          <p className="sm t2 under">{grouped(runs.length)} shown. Rows keep their place while you read.</p>
        </>
      )}
    </div>
  );
}

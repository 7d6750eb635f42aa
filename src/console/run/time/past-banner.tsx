import type { ReactNode } from 'react';
import { clockTime, grouped } from '../../parts/figures.js';
import { Words } from '../../parts/shown-text.js';
import { showEvent } from './use-at.js';

type Props = {
  view: { event: number; events: number; at: string };
  problem?: string | null;
  /** What can be done there. */
  children?: ReactNode;
};

/** Says that the page shows the past. */
export function PastBanner({ view, problem = null, children }: Props) {
  return (
    <section className="banner then" aria-label="A moment that is over">
      <div className="row wrap">
        <span>
          <b>
            Event {grouped(view.event)} of {grouped(view.events)}
          </b>
          , {clockTime(view.at)}.
        </span>
        <button type="button" className="linklike" onClick={() => showEvent(null)}>
          Back to live
        </button>
        {children}
      </div>
      {problem !== null && (
        <p className="bad" role="alert">
          <Words text={problem} />
        </p>
      )}
    </section>
  );
}

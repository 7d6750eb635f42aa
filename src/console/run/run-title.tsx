import type { ReactNode } from 'react';
import { Words } from '../parts/shown-text.js';

/** What a run is called, and where it comes from. */
export function RunTitle({ title, id, children }: { title: string; id: string; children: ReactNode }) {
  return (
    <header>
      <div className="row wrap title">
        <h1>
          <Words text={title} />
        </h1>
        <Words text={id} className="m t3" />
      </div>
      <div className="row wrap sm t2 origin">{children}</div>
    </header>
  );
}

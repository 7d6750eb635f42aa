import { useState } from 'react';
import type { History, Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { clockTime } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { CheckList } from './check-list.js';
import type { Handoff } from './fold-job.js';

const PARTS = ['answer', 'prompt', 'raw'] as const;

type Props = { run: Run; handoff: Handoff; history: History | null };

export function useHistory(run: Run): History | null {
  return useLoaded(`history ${run.run_id}`, run.version, () => client.jobs.history(run.run_id)).value;
}

/** What was asked and said in one attempt, and what Baton found. */
export function HandoffPanel({ run, handoff, history }: Props) {
  const [part, setPart] = useState<(typeof PARTS)[number]>('answer');
  const said = history?.interactions.find(({ sequence }) => sequence === handoff.sequence);
  const { summary_for_supervisor: summary, raw_response: raw = '' } = said?.response ?? {};
  const none = history === null ? 'Reading it.' : 'No answer yet.';
  const texts = {
    answer: typeof summary === 'string' && summary !== '' ? summary : (handoff.reason ?? none),
    prompt: said?.request.prompt ?? none,
    raw: raw === '' ? none : raw,
  };
  return (
    <section className="handoff" aria-label={`Handoff ${handoff.key}`}>
      <header className="row wrap">
        <h2>
          <Words text={`${handoff.key}, ${handoff.phase}`} />
        </h2>
        <span className="t3 sm">
          {clockTime(handoff.askedAtMs)}
          {handoff.endedAtMs !== null && ` to ${clockTime(handoff.endedAtMs)}`}
        </span>
        <span className="sp" />
        {PARTS.map((name) => (
          <button key={name} type="button" className="btn s" aria-pressed={part === name} onClick={() => setPart(name)}>
            {name.charAt(0).toUpperCase() + name.slice(1)}
          </button>
        ))}
      </header>
      <div className="in">
        <Lines text={texts[part]} className={part === 'answer' ? 'quote' : 'exact'} />
        {handoff.reason !== null && (
          <p className="sm">
            Baton: <Words text={handoff.reason} />
          </p>
        )}
      </div>
      {handoff.checks.length > 0 && <CheckList run={run.run_id} checks={handoff.checks} />}
    </section>
  );
}

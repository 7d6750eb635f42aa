import { useState } from 'react';
import type { BodyRef, JobView, RelayRow } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { Diff } from '../parts/diff.js';
import { clockTime, shortHash } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { usePatch } from '../parts/use-patch.js';
import { CheckList } from './check-list.js';
import { stopOf } from './relay-lanes.js';

const PARTS = ['answer', 'prompt', 'raw'] as const;
type Part = (typeof PARTS)[number];

/** What was asked and said in one attempt, and what Baton found. */
export function HandoffPanel({ view, row }: { view: JobView; row: RelayRow }) {
  const [part, setPart] = useState<Part>('answer');
  const { glyph, tone } = stopOf(row);
  return (
    <section className="card handoff" aria-label={`Handoff ${row.sequence + 1}`}>
      <header className="wrap">
        <Glyph glyph={glyph} tone={tone} />
        <h2>
          <Words text={`Handoff ${row.sequence + 1}, ${row.phase}`} />
        </h2>
        <span className="t3 sm">
          {clockTime(row.asked_at)}
          {row.ended_at !== null && ` to ${clockTime(row.ended_at)}`}
        </span>
        <span className="sp" />
        {PARTS.map((name) => (
          <button key={name} type="button" className="btn s" aria-pressed={part === name} onClick={() => setPart(name)}>
            {name.charAt(0).toUpperCase() + name.slice(1)}
          </button>
        ))}
      </header>
      <div className="in">
        <Said run={view.job_id} row={row} part={part} />
        {row.reason !== null && (
          <p className="sm">
            <span className="t3">Baton:</span> <Words text={row.reason} />
          </p>
        )}
        <Facts run={view.job_id} row={row} />
      </div>
      {row.checks.length > 0 && <CheckList run={view.job_id} checks={row.checks} />}
      {row.commits !== null && <OwnDiff view={view} row={row} to={row.commits.to} />}
    </section>
  );
}

const NONE: Readonly<Record<Part, string>> = {
  answer: 'No answer yet.',
  prompt: 'Nobody was asked: it was answered by hand, or is being asked.',
  raw: 'No answer yet.',
};

function Said({ run, row, part }: { run: string; row: RelayRow; part: Part }) {
  const ref: BodyRef | null = { answer: row.summary, prompt: row.request, raw: row.answer }[part];
  const { value, error } = useLoaded(`body ${ref?.sha256}`, 0, async () =>
    ref === null ? null : client.body(run, ref.sha256, row.event),
  );
  if (ref === null) return <p className="t2">{part === 'answer' && row.reason !== null ? 'No answer.' : NONE[part]}</p>;
  if (error) return <p className="bad">{error.message}</p>;
  return <Lines text={value?.text ?? ''} className={part === 'answer' ? 'quote' : 'exact tall'} />;
}

function Facts({ run, row }: { run: string; row: RelayRow }) {
  const facts = [
    ['key', `${run}/${row.handoff}`],
    ['attempt', row.attempt > 1 ? String(row.attempt) : null],
    ['epoch', row.epoch === null ? null : String(row.epoch)],
    ['thread', row.thread],
    ['answer sha256', row.answer && shortHash(row.answer.sha256)],
    ['by hand', row.by_hand ? 'yes' : null],
    ['events', `${row.event} to ${row.last_event}`],
  ] as const;
  return (
    <div className="row wrap sm t2 facts-line">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <span key={name}>
              {name} <Words text={value} className="m" />
            </span>
          ),
      )}
    </div>
  );
}

function OwnDiff({ view, row, to }: { view: JobView; row: RelayRow; to: string }) {
  const { patch, error } = usePatch({ job: view.job_id, to, attempt: row.sequence });
  if (error) {
    return (
      <p className="in t2">
        <Words text={error.message} />
      </p>
    );
  }
  return <div className="own-diff">{patch === null ? <div className="in skel" /> : <Diff patch={patch} />}</div>;
}

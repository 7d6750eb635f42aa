import { useState } from 'react';
import type { RunEvent, SignedHead } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Card } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { CopyButton } from '../parts/copy-button.js';
import { clockTime, grouped } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { answerWords } from './answer-words.js';
import { RefusedRequests } from './refused-requests.js';
import { type Outcome, type Progress, problemWords, useVerified } from './use-verified.js';

/** One line first: intact, or the first place where it is not. */
export function AuditPage() {
  const { outcome, progress, verify } = useVerified();
  const { position } = useLive();
  const { value: notable } = useLoaded('notable', position, () => client.audit.notable());
  return (
    <div className="pad stack">
      <h1 className="vh">Audit</h1>
      <div className="row wrap verdict">
        <p className="say sp" role="status">
          <Verdict outcome={outcome} />
        </p>
        <button type="button" className="btn" disabled={progress !== null} onClick={verify}>
          Verify now
        </button>
      </div>
      {progress !== null && <Checking progress={progress} />}
      <Head verified={outcome?.verified ?? null} />
      <Card title="Who decided what" beside={<span className="t3 sm">the newest first</span>}>
        <Answers events={notable?.answers ?? []} />
      </Card>
      <Card title="Answers of agents that broke the contract">
        <Violations events={notable?.violations ?? []} />
      </Card>
      <RefusedRequests />
      <CommandLine command="baton audit verify" />
    </div>
  );
}

function Verdict({ outcome }: { outcome: Outcome | null }) {
  const { system } = useLive();
  if (outcome === null) return <span className="t2">Checking every hash of the log.</span>;
  const { verified, error, at } = outcome;
  if (!verified) {
    return (
      <span className="st bad wraps">
        <Glyph glyph="octagon" tone="bad" size={18} />
        <Words text={error ?? ''} />
      </span>
    );
  }
  const since = system?.chain.intact_since;
  return (
    <>
      <Glyph glyph="tick" tone="ok" size={18} /> <b className="ok">Intact.</b>{' '}
      <span className="t2">
        Every hash of {grouped(verified.events)} events in {grouped(verified.runs)} runs is as recorded, checked at{' '}
        {clockTime(at)}
        {since && `; every check since ${clockTime(since)} has found the same`}.
      </span>
    </>
  );
}

function Checking({ progress }: { progress: NonNullable<Progress> | 'begins' }) {
  const { position, of } = progress === 'begins' ? { position: 0, of: 1 } : progress;
  const words = progress === 'begins' ? 'The check begins.' : `${grouped(position)} of ${grouped(of)} events.`;
  return (
    <div className="row">
      <progress max={Math.max(1, of)} value={position} aria-label="How far the check is" />
      <span className="sm t2 num">{words}</span>
    </div>
  );
}

function Head({ verified }: { verified: Outcome['verified'] }) {
  const [head, setHead] = useState<SignedHead | null>(null);
  const [error, setError] = useState<string | null>(null);
  const sign = (): void => {
    client.audit.head().then(setHead, (failure) => setError(problemWords(failure)));
  };
  const text = head === null ? null : JSON.stringify(head, null, 2);
  return (
    <Card
      title="Heads to keep"
      beside={
        <button type="button" className="btn s" onClick={sign}>
          Sign the end of the log
        </button>
      }
    >
      <div className="in stack-s">
        <p className="t2">Keep one elsewhere: whoever rewrites the log cannot rewrite what you keep.</p>
        {verified && (
          <div className="row wrap">
            <span className="t3 sm">event {grouped(verified.position)}</span>
            <Words text={verified.hash} className="m el" />
            <CopyButton text={`${verified.position} ${verified.hash}`} what="head" />
          </div>
        )}
        {text !== null && <Lines text={text} className="exact" />}
        {text !== null && (
          <div className="row">
            <CopyButton text={text} what="signed head" />
          </div>
        )}
        {error && (
          <p className="bad" role="alert">
            {error}
          </p>
        )}
      </div>
    </Card>
  );
}

function Answers({ events }: { events: readonly RunEvent[] }) {
  if (events.length === 0) return <p className="in t2">Nobody has decided anything yet.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">Did</th>
          <th scope="col">Run</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.position}>
            <td className="t3 num-l nw">
              <Ago at={event.at} />
            </td>
            <td>
              <Words text={event.actor} className="b" />
            </td>
            <td>
              <Words text={answerWords(event)} />
            </td>
            <td>
              <RunLink run={event.run_id} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Violations({ events }: { events: readonly RunEvent[] }) {
  if (events.length === 0) return <p className="in t2">Every answer was of the agreed form.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Run</th>
          <th scope="col">What was wrong</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ position, at, run_id, data }) => (
          <tr key={position}>
            <td className="t3 num-l nw">
              <Ago at={at} />
            </td>
            <td>
              <RunLink run={run_id} />
            </td>
            <td>
              <Words text={faultIn(data)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function faultIn(data: unknown): string {
  const { reason, cause } = (data ?? {}) as { reason?: string | null; cause?: string };
  return reason ?? cause ?? '';
}

function RunLink({ run }: { run: string }) {
  return (
    <Link to={`/runs/${encodeURIComponent(run)}`} className="l">
      <Words text={run} className="m" />
    </Link>
  );
}

import { useCallback, useEffect, useState } from 'react';
import { BatonError, type RunEvent, type SignedHead, type Verified } from '../../client/index.js';
import { client } from '../live/client.js';
import { useRunEvents } from '../live/use-run-events.js';
import { CommandLine } from '../parts/command-line.js';
import { clockTime, grouped } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';

type Outcome = { at: number; verified: Verified | null; error: string | null };
type Refused = { code: string; method: string; path: string; from: string; by: string | null; count: number };

/** One line first: intact, or the first place where it is not. */
export function AuditPage() {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [checking, setChecking] = useState(false);
  const verify = useCallback(async (): Promise<void> => {
    setChecking(true);
    try {
      setOutcome({ at: Date.now(), verified: await client.audit.verify(), error: null });
    } catch (failure) {
      setOutcome({ at: Date.now(), verified: null, error: textOf(failure) });
    }
    setChecking(false);
  }, []);
  useEffect(() => void verify(), [verify]);
  return (
    <div className="pad stack">
      <h1>Audit</h1>
      <div className="row wrap">
        <p className="say sp" role="status">
          <Verdict outcome={outcome} />
        </p>
        <button type="button" className="btn" disabled={checking} onClick={verify}>
          Verify now
        </button>
      </div>
      <Head />
      <RefusedRequests />
      <CommandLine command="baton audit verify" />
    </div>
  );
}

function Verdict({ outcome }: { outcome: Outcome | null }) {
  if (outcome === null) return <span className="t2">Checking every hash of the log.</span>;
  const { verified, error, at } = outcome;
  if (!verified) {
    return (
      <span className="st bad">
        <Glyph glyph="octagon" tone="bad" size={18} />
        <Words text={error ?? ''} />
      </span>
    );
  }
  return (
    <>
      <Glyph glyph="tick" tone="ok" size={18} /> <b className="ok">Intact.</b>{' '}
      <span className="t2">
        Every hash of {grouped(verified.events)} events in {grouped(verified.runs)} runs is as recorded, checked at{' '}
        {clockTime(at)}.
      </span>
    </>
  );
}

function Head() {
  const [head, setHead] = useState<SignedHead | null>(null);
  const [error, setError] = useState<string | null>(null);
  const sign = (): void => {
    client.audit.head().then(setHead, (failure) => setError(textOf(failure)));
  };
  return (
    <section className="card" aria-label="Signed head">
      <header>
        <h2>Signed head</h2>
        <span className="sp" />
        <button type="button" className="btn s" onClick={sign}>
          Sign the end of the log
        </button>
      </header>
      <div className="in">
        <p className="t2">Keep it elsewhere: whoever rewrites the log cannot rewrite what you keep.</p>
        {head && <Lines text={JSON.stringify(head, null, 2)} className="exact" />}
        {error && <p className="bad">{error}</p>}
      </div>
    </section>
  );
}

function RefusedRequests() {
  const events = useRunEvents('system') ?? [];
  const rows = events.filter(({ type }) => type === 'RequestsRefused').flatMap(refusedIn);
  return (
    <section className="card" aria-label="Refused requests">
      <header>
        <h2>Refused requests</h2>
      </header>
      {rows.length === 0 ? (
        <p className="in t2">Nobody was turned away.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Code</th>
              <th scope="col">What</th>
              <th scope="col" className="hide-s">
                Who
              </th>
              <th scope="col" className="r">
                Times
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.toReversed().map(({ key, at, code, method, path, from, by, count }) => (
              <tr key={key}>
                <td className="t3 num">{clockTime(at)}</td>
                <td className="m bad">{code}</td>
                <td>
                  <Words text={`${method} ${path}`} className="m" />
                </td>
                <td className="hide-s">
                  <Words text={by ?? from} />
                </td>
                <td className="num">{grouped(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function refusedIn({ position, at, data }: RunEvent): (Refused & { key: string; at: string })[] {
  const { refused = [] } = data as { refused?: readonly Refused[] };
  return refused.map((one, index) => ({ ...one, at, key: `${position} ${index}` }));
}

function textOf(failure: unknown): string {
  return failure instanceof BatonError ? `${failure.message} (${failure.code})` : String(failure);
}

import { useState } from 'react';
import type { Run } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { clockTime, dollars, span, tokens } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import type { Handoff, JobView } from './fold-job.js';
import { HandoffPanel, useHistory } from './handoff-panel.js';
import { RelayLanes } from './relay-lanes.js';

const TONES = { COMPLETED: 'ok', RETRY: '', STUCK: 'you', LOST: 'bad', FAILED: 'bad' } as const;

/** One row for each attempt, with the baton's way between worker, review and person. */
export function Relay({ run, view }: { run: Run; view: JobView }) {
  const { nowMs } = useLive();
  const { handoffs, restsSinceMs } = view;
  const [chosen, setChosen] = useState<number | null>(null);
  const history = useHistory(run);
  if (handoffs.length === 0) return <p className="in t2">Nobody has been asked yet.</p>;
  const from = handoffs[0]?.askedAtMs ?? 0;
  const until = restsSinceMs === null ? Math.max(...handoffs.map((one) => one.endedAtMs ?? nowMs)) : nowMs;
  const scale = { from, until: Math.max(until, from + 1) };
  const selected = handoffs.find(({ sequence }) => sequence === chosen) ?? handoffs.at(-1);
  return (
    <>
      <div className="relay">
        <div className="hd">
          <span className="lane-names">
            <span>Worker</span>
            <span>Review</span>
            <span>You</span>
          </span>
          <span>Handoff</span>
          <span>Verdict</span>
          <span className="row">
            <span>{clockTime(scale.from).slice(0, 5)}</span>
            <span className="sp" />
            <span>{clockTime(scale.until).slice(0, 5)}</span>
          </span>
          <span className="r">Tokens</span>
          <span className="r">Cost</span>
        </div>
        <RelayLanes handoffs={handoffs} waits={restsSinceMs !== null} />
        {handoffs.map((handoff) => (
          <Row
            key={handoff.sequence}
            handoff={handoff}
            summary={history?.interactions[handoff.sequence]?.response.summary_for_supervisor}
            scale={scale}
            current={handoff === selected}
            onChoose={() => setChosen(handoff.sequence)}
          />
        ))}
        {restsSinceMs !== null && <WaitingRow sinceMs={restsSinceMs} scale={scale} />}
      </div>
      {selected && <HandoffPanel run={run} handoff={selected} history={history} />}
    </>
  );
}

type Scale = { from: number; until: number };
type RowProps = { handoff: Handoff; summary: unknown; scale: Scale; current: boolean; onChoose(): void };

function Row({ handoff, summary, scale, current, onChoose }: RowProps) {
  const { phase, agent, attempt, verdict, reason, askedAtMs, endedAtMs, checks } = handoff;
  const passed = checks.filter(({ exitCode }) => exitCode === 0).length;
  const proof = checks.length > 0 ? `${passed} of ${checks.length} checks` : '';
  const endMs = endedAtMs ?? scale.until;
  return (
    <button type="button" className="hop" aria-pressed={current} onClick={onChoose}>
      <span />
      <span className="hop-what">
        <span className="b">
          <Words text={phase} />
        </span>{' '}
        <span className="t3">
          <Words text={attempt > 1 ? `${agent} ×${attempt}` : agent} />
        </span>
        <span className="t2 sm el">
          <Words text={reason ?? (typeof summary === 'string' && summary !== '' ? summary : handoff.key)} />
        </span>
      </span>
      <span>
        <span className={`chip ${verdict === null ? 'run' : TONES[verdict]}`}>{verdict ?? 'WORKING'}</span>
        <span className="t3 sm proof">{proof}</span>
      </span>
      <Bar scale={scale} from={askedAtMs} until={endMs} tone="var(--d4)" />
      <span className="r t2 num">{tokens(handoff.tokens)}</span>
      <span className="r num">{dollars(handoff.costMicroUsd / 1e6)}</span>
    </button>
  );
}

function WaitingRow({ sinceMs, scale }: { sinceMs: number; scale: Scale }) {
  return (
    <div className="hop still">
      <span />
      <span className="hop-what">
        <span className="b">steward</span>
        <span className="t2 sm el">Asked {span(scale.until - sinceMs)} ago</span>
      </span>
      <span>
        <span className="chip you">WAITING</span>
      </span>
      <Bar scale={scale} from={sinceMs} until={scale.until} tone="var(--you)" />
      <span />
      <span />
    </div>
  );
}

function Bar({ scale, from, until, tone }: { scale: Scale; from: number; until: number; tone: string }) {
  const part = (ms: number) => ((ms - scale.from) / (scale.until - scale.from)) * 100;
  const width = Math.max(2, part(until) - part(from));
  return (
    <span className="track">
      <i style={{ left: `${Math.min(98, part(from))}%`, width: `${width}%`, background: tone }} />
      <span className="t3 sm">{span(until - from)}</span>
    </span>
  );
}

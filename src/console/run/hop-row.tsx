import type { RelayRow } from '../../client/index.js';
import { dollars, span, tokens } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';

export type Scale = { from: number; until: number };

const TONES = { COMPLETED: 'ok', RETRY: '', STUCK: 'you', LOST: 'bad', FAILED: 'bad', ASKED: '' } as const;

type RowProps = { row: RelayRow; scale: Scale; current: boolean; onChoose(): void };

export function HopRow({ row, scale, current, onChoose }: RowProps) {
  const { phase, agent, attempt, verdict, reason, summary_text: summary } = row;
  const from = Date.parse(row.asked_at);
  const until = row.ended_at === null ? scale.until : Date.parse(row.ended_at);
  return (
    <button type="button" className="hop" aria-pressed={current} onClick={onChoose}>
      <span />
      <span className="hop-what">
        <span className="el">
          <span className="b">
            <Words text={phase} />
          </span>{' '}
          <span className="t3">
            <Words text={attempt > 1 ? `${agent} ×${attempt}` : agent} />
          </span>
        </span>
        <span className="t2 sm el">
          <Words text={reason ?? (summary || (verdict === null ? 'No answer yet' : row.handoff))} />
        </span>
      </span>
      <span>
        <span className={`chip ${verdict === null ? 'run' : TONES[verdict]}`}>{verdict ?? 'WORKING'}</span>
        <span className="t3 sm proof el">{proofOf(row)}</span>
      </span>
      <Bar scale={scale} from={from} until={Math.min(until, scale.until)} tone={toneOf(row)} />
      <span className="r t2 num">{tokens(row.tokens)}</span>
      <span className="r num">{dollars(row.cost_usd)}</span>
    </button>
  );
}

function proofOf({ checks, verdict, role }: RelayRow): string {
  const passed = checks.filter(({ exitCode }) => exitCode === 0).length;
  if (checks.length > 0) return `${passed} of ${checks.length} checks`;
  if (verdict === 'LOST') return 'asked again';
  if (verdict === 'ASKED') return 'a person decided';
  return verdict === 'RETRY' && role === 'Supervisor' ? 'sent back' : '';
}

/** One hue: work darker, review lighter; red is only what was lost or failed. */
function toneOf({ verdict, role }: RelayRow): string {
  if (verdict === 'LOST' || verdict === 'FAILED') return 'var(--bad)';
  return role === 'Supervisor' ? 'var(--d2)' : 'var(--d4)';
}

export function WaitingRow({ since, scale }: { since: string; scale: Scale }) {
  const sinceMs = Date.parse(since);
  return (
    <div className="hop still">
      <span />
      <span className="hop-what">
        <span className="b">steward</span>
        <span className="t2 sm el">Asked {span(scale.until - sinceMs)} ago</span>
      </span>
      <span>
        <span className="chip you">WAITING</span>
        <span className="t3 sm proof">for you</span>
      </span>
      <Bar scale={scale} from={sinceMs} until={scale.until} tone="var(--you)" />
      <span />
      <span />
    </div>
  );
}

export function UnreadRow() {
  return (
    <div className="hop still" aria-busy="true">
      <span />
      <span className="skel" />
    </div>
  );
}

function Bar({ scale, from, until, tone }: { scale: Scale; from: number; until: number; tone: string }) {
  const part = (ms: number) => Math.max(0, Math.min(100, ((ms - scale.from) / (scale.until - scale.from)) * 100));
  const width = Math.max(2, part(until) - part(from));
  return (
    <span className="track">
      <i style={{ left: `${Math.min(98, part(from))}%`, width: `${width}%`, background: tone }} />
      <span className="t3 sm">{until - from < 1_000 ? `${Math.max(0, until - from)} ms` : span(until - from)}</span>
    </span>
  );
}

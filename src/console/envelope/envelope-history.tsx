import type { Envelope, EnvelopeBoard } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { Card } from '../parts/card.js';
import { clockTime, dollars } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { spanMs } from './board-stage.js';
import { shortSpan } from './envelope-words.js';

/** What went wrong, as the envelope itself carries it. */
export function ErrorCard({ envelope: { errors = [] } }: { envelope: Envelope }) {
  if (errors.length === 0) return null;
  return (
    <Card title="Errors" beside={<span className="chip bad">{errors.length}</span>}>
      <ul className="plain blockers">
        {errors.map(({ agent, error_type, message, timestamp, recoverable }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: errors are only ever added
          <li key={index}>
            <div className="row wrap">
              <Glyph glyph="octagon" tone="bad" />
              <Words text={String(agent ?? '')} className="b" />
              <Words text={String(error_type ?? '')} className="m bad" />
              <span className="sm t2">
                {recoverable === true ? 'can be tried again' : 'cannot be mended by trying again'}
              </span>
              <span className="sp" />
              {typeof timestamp === 'string' && <span className="t3 sm num">{clockTime(timestamp)}</span>}
            </div>
            <Lines text={String(message ?? '')} className="quote" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

type Row = {
  key: string;
  stage: string;
  who: string;
  started: string;
  tookMs: number;
  status: string;
  error: string | null;
  calls: number;
  costUsd: number | null;
};

const LOOKS: Readonly<
  Record<string, { glyph: 'arc' | 'tick' | 'octagon' | 'diamond'; tone: 'run' | 'ok' | 'bad' | 'rest' }>
> = {
  running: { glyph: 'arc', tone: 'run' },
  success: { glyph: 'tick', tone: 'ok' },
  error: { glyph: 'octagon', tone: 'bad' },
};

/** Every time a stage was at work, here or before the envelope came. */
export function HistoryCard({ board }: { board: EnvelopeBoard }) {
  const { nowMs } = useLive();
  const rows = rowsOf(board, nowMs);
  if (rows.length === 0) return null;
  return (
    <Card
      title="History"
      beside={
        <span className="sm t3">{rows.length === 1 ? '1 stage' : `${rows.length} stages`} at work, in order</span>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section className="scroll-x" tabIndex={0} aria-label="Every time a stage was at work">
        <table className="history">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col">By</th>
              <th scope="col" className="r">
                Began
              </th>
              <th scope="col" className="r">
                Took
              </th>
              <th scope="col" className="r">
                LLM calls
              </th>
              <th scope="col" className="r">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, stage, who, started, tookMs, status, error, calls, costUsd }) => {
              const { glyph, tone } = LOOKS[status] ?? { glyph: 'ring', tone: 'rest' };
              return (
                <tr key={key}>
                  <td>
                    <span className="row">
                      <Glyph glyph={glyph} tone={tone} />
                      <Words text={stage} />
                      <span className="vh">{status}</span>
                    </span>
                    {error !== null && <Words text={error} className="sm bad second-line" />}
                  </td>
                  <td className="t2">
                    <Words text={who} />
                  </td>
                  <td className="num t3">{started === '' ? '' : clockTime(started)}</td>
                  <td className="num">{shortSpan(tookMs)}</td>
                  <td className="num">{calls}</td>
                  <td className="num t2">{costUsd === null ? '' : dollars(costUsd)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

function rowsOf({ envelope, passes }: EnvelopeBoard, nowMs: number): readonly Row[] {
  const { processing_history: told } = envelope;
  const records = Array.isArray(told) ? (told as Record<string, unknown>[]) : [];
  const ended = passes.filter(({ ended_at }) => ended_at !== null).length;
  const earlier = records.slice(0, Math.max(0, records.length - ended)).map((record, index): Row => {
    const { agent, started_at, duration_ms, status, error, llm_calls } = record ?? {};
    return {
      ...{ key: `before-${index}`, stage: String(agent ?? ''), who: 'before it came here' },
      ...{ started: typeof started_at === 'string' ? started_at : '', tookMs: Number(duration_ms ?? 0) },
      ...{ status: String(status ?? ''), error: typeof error === 'string' ? error : null },
      ...{ calls: Number(llm_calls ?? 0), costUsd: null },
    };
  });
  const here = passes.map(
    (pass): Row => ({
      ...{ key: pass.handoff, stage: pass.stage, who: pass.agent ?? 'tools', started: pass.started_at },
      ...{ tookMs: spanMs(pass.started_at, pass.ended_at, nowMs), status: pass.status, error: pass.error },
      ...{ calls: pass.llm_calls, costUsd: pass.cost_usd },
    }),
  );
  return [...earlier, ...here];
}

import { type UIEvent, useLayoutEffect, useRef, useState } from 'react';
import type { JobView } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { clockTime } from '../parts/figures.js';
import { HopRow, type Scale, UnreadRow, WaitingRow } from './hop-row.js';
import { RelayLanes } from './relay-lanes.js';
import { chooseHandoff, useChosen } from './use-chosen.js';
import { useRelay } from './use-relay.js';

/** As in the style sheet. */
const ROW = 60;
const ROWS_SHOWN_MAX = 10;
const AROUND = 6;

type Props = { view: JobView; live: boolean };

/** One row for each attempt, with the baton's way between worker, review and person. Only those in sight are drawn. */
export function Relay({ view, live }: Props) {
  const { attempts, waits_since: waits } = view;
  const rows = attempts + (waits === null ? 0 : 1);
  const { box, first, last, onScroll } = useWindow(rows);
  const chosen = useChosen(attempts);
  const known = useRelay(view, Math.max(0, first - 1), last);
  const scale = useScale(view, live);
  if (attempts === 0) return <p className="in t2">Nobody has been asked yet.</p>;
  const shown = Array.from({ length: Math.max(0, Math.min(last, attempts) - first) }, (_, index) => first + index);
  return (
    <div className="relay">
      <Head scale={scale} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section ref={box} className="hops" tabIndex={0} aria-label="Attempts" onScroll={onScroll}>
        <div className="hops-all" style={{ height: rows * ROW }}>
          <div className="hops-shown" style={{ transform: `translateY(${first * ROW}px)` }}>
            <RelayLanes
              rows={known}
              first={first}
              last={Math.min(last, attempts)}
              waits={waits !== null && last >= rows}
            />
            {shown.map((one) => {
              const row = known.get(one);
              if (!row) return <UnreadRow key={one} />;
              return (
                <HopRow
                  key={one}
                  row={row}
                  scale={scale}
                  current={one === chosen}
                  onChoose={() => chooseHandoff(one)}
                />
              );
            })}
            {waits !== null && last >= rows && <WaitingRow since={waits} scale={scale} />}
          </div>
        </div>
      </section>
    </div>
  );
}

function Head({ scale }: { scale: Scale }) {
  return (
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
  );
}

/** Which rows are in sight; it begins, and stays, at the end until somebody scrolls away from it. */
function useWindow(rows: number) {
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(Math.max(0, rows - ROWS_SHOWN_MAX) * ROW);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = rows * ROW;
  }, [rows]);
  const onScroll = ({ currentTarget }: UIEvent): void => {
    atEnd.current = currentTarget.scrollTop + currentTarget.clientHeight > currentTarget.scrollHeight - ROW;
    setTop(currentTarget.scrollTop);
  };
  const start = Math.min(Math.floor(top / ROW), Math.max(0, rows - 1));
  return { box, first: Math.max(0, start - AROUND), last: Math.min(rows, start + ROWS_SHOWN_MAX + AROUND), onScroll };
}

/** From the first ask until the moment that is shown; of what still moves, or waits, until now. */
function useScale(view: JobView, live: boolean): Scale {
  const { nowMs } = useLive();
  const moves = view.waits_since !== null || ['RUNNING', 'REVIEWING', 'PENDING'].includes(view.status);
  const from = Date.parse(view.began_at ?? view.at);
  const until = live && moves ? nowMs : Date.parse(view.at);
  return { from, until: Math.max(until, from + 1) };
}

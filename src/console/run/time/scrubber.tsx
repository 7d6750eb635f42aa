import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { JobView } from '../../../client/index.js';
import { Icon } from '../../frame/icon.js';
import { useLive } from '../../live/live-context.js';
import { clockTime, grouped } from '../../parts/figures.js';
import { PlayerIcon } from '../../parts/player-icon.js';
import { showEvent } from './use-at.js';
import { SPEEDS, usePlaying } from './use-playing.js';
import { useTimeKeys } from './use-time-keys.js';

type Timed = Pick<JobView, 'events' | 'ticks' | 'at'>;
type Props = { view: Timed; at: number | null; waits: boolean; onFork?(): void };

/** One tick for each event, or for several; wherever it is moved, the whole page shows that moment. */
export function Scrubber({ view, at, waits, onFork }: Props) {
  const { who } = useLive();
  const { events, ticks } = view;
  const now = Math.min(at ?? events, events);
  const move = (event: number): void => showEvent(event >= events ? null : Math.max(1, event));
  const { playing, speed, toggle, setSpeed } = usePlaying(now, { events, per: ticks.per }, move);
  useTimeKeys({ back: () => move(now - 1), forward: () => move(now + 1), toggle });
  return (
    <section className="card scrub" aria-label="Time travel">
      <button type="button" className="icon" aria-label="Event back" onClick={() => move(now - 1)} disabled={now <= 1}>
        <PlayerIcon name="back" size={14} />
      </button>
      <button type="button" className="icon" aria-label={playing ? 'Stop' : 'Play'} onClick={toggle}>
        <PlayerIcon name={playing ? 'stop' : 'play'} size={14} />
      </button>
      <button
        type="button"
        className="icon"
        aria-label="Event forward"
        onClick={() => move(now + 1)}
        disabled={at === null}
      >
        <PlayerIcon name="forward" size={14} />
      </button>
      <Track view={view} now={now} waits={waits} move={move} />
      <span className="sm nw scrub-at">
        <b>
          event {grouped(now)} of {grouped(events)}
        </b>{' '}
        <span className="t3">{clockTime(view.at)}</span>
      </span>
      {at === null ? (
        <>
          <span className="chip ok">
            <i className="pulse" />
            live
          </span>
          {onFork && who?.may.includes('job.fork') && (
            <button type="button" className="btn s hide-s" onClick={onFork}>
              <Icon name="branch" size={14} />
              Fork from here…
            </button>
          )}
        </>
      ) : (
        <fieldset className="row g4 speeds" aria-label="Speed">
          {SPEEDS.map((one) => (
            <button
              key={one}
              type="button"
              className="btn s"
              aria-pressed={speed === one}
              onClick={() => setSpeed(one)}
            >
              {one}×
            </button>
          ))}
        </fieldset>
      )}
    </section>
  );
}

type TrackProps = { view: Timed; now: number; waits: boolean; move(event: number): void };

function Track({ view: { events, ticks, at }, now, waits, move }: TrackProps) {
  const track = useRef<HTMLDivElement>(null);
  const count = ticks.marks.length;
  const current = Math.min(count - 1, Math.floor((now - 1) / ticks.per));
  const point = (event: PointerEvent): void => {
    const box = track.current?.getBoundingClientRect();
    if (!box || (event.type === 'pointermove' && event.buttons === 0)) return;
    const share = Math.min(0.9999, Math.max(0, (event.clientX - box.left) / box.width));
    const tick = Math.floor(share * count);
    move(tick === count - 1 ? events : Math.min(events, tick * ticks.per + Math.ceil(ticks.per / 2)));
  };
  const press = (event: KeyboardEvent): void => {
    const to = { Home: 1, End: events, PageUp: now - 10 * ticks.per, PageDown: now + 10 * ticks.per }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  return (
    <div
      ref={track}
      className="track-ticks"
      role="slider"
      tabIndex={0}
      aria-label="Event"
      aria-valuemin={1}
      aria-valuemax={events}
      aria-valuenow={now}
      aria-valuetext={`event ${now} of ${events}, ${clockTime(at)}${now === events ? ', live' : ''}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        point(event);
      }}
      onPointerMove={point}
      onKeyDown={press}
    >
      <Ticks marks={ticks.marks} current={current} waits={waits} />
    </div>
  );
}

const WIDTH = 1_000;
const LOOKS = {
  h: { top: 3, color: 'var(--d1)' },
  x: { top: 3, color: 'var(--bad)' },
  '.': { top: 9, color: 'var(--d5)' },
};

/** Three lines with gaps, however many ticks there are. What comes behind the moment is faint. */
function Ticks({ marks, current, waits }: { marks: string; current: number; waits: boolean }) {
  const x = (tick: number) => ((tick + 0.5) / marks.length) * WIDTH;
  const last = marks.length - 1;
  const line = (mark: string, top: number, from: number, until: number) => {
    let path = '';
    for (let tick = from; tick < until; tick += 1) {
      if (marks[tick] === mark && !(waits && tick === last)) path += `M${x(tick).toFixed(1)} ${top}V19`;
    }
    return path;
  };
  return (
    <svg viewBox={`0 0 ${WIDTH} 22`} height="22" width="100%" preserveAspectRatio="none" aria-hidden="true">
      {Object.entries(LOOKS).map(([mark, { top, color }]) => (
        <g key={mark} stroke={color}>
          <path d={line(mark, top, 0, current + 1)} />
          <path d={line(mark, top, current + 1, marks.length)} opacity=".35" />
        </g>
      ))}
      {waits && <path d={`M${x(last)} 3V19`} stroke="var(--you)" opacity={current === last ? 1 : 0.35} />}
      {current < last && <path d={`M${x(current)} 0V22`} stroke="var(--text)" className="head" />}
    </svg>
  );
}

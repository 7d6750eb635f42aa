import { Glyph, type Tone } from '../parts/status.js';
import type { Handoff } from './fold-job.js';

const ROW = 60;
const LANES = { worker: 28, review: 68, you: 108 } as const;

type Stop = { x: number; glyph: Parameters<typeof Glyph>[0]['glyph']; tone: Tone; lost: boolean };

/** The way of the baton, drawn like a graph of commits beside the rows. */
export function RelayLanes({ handoffs, waits }: { handoffs: readonly Handoff[]; waits: boolean }) {
  const stops = [...handoffs.map(stopOf), ...(waits ? [WAITS] : [])];
  const height = stops.length * ROW;
  return (
    <svg className="lanes wide" width="136" height={height} aria-hidden="true">
      {Object.values(LANES).map((x) => (
        <path key={x} d={`M${x} 0V${height}`} stroke="var(--line)" />
      ))}
      {stops.slice(1).map((stop, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Way key={`way ${index + 1}`} from={stops[index]} to={stop} row={index} />
      ))}
      {stops.map((stop, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stop is its row, and rows keep their place
        <g key={`stop ${index}`} transform={`translate(${stop.x - 8} ${index * ROW + 22})`}>
          <circle cx="8" cy="8" r="10" fill="var(--surface)" />
          <Glyph glyph={stop.glyph} tone={stop.tone} size={16} />
        </g>
      ))}
    </svg>
  );
}

const WAITS: Stop = { x: LANES.you, glyph: 'diamond', tone: 'you', lost: false };

function stopOf({ role, verdict }: Handoff): Stop {
  const x = role === 'Supervisor' ? LANES.review : LANES.worker;
  switch (verdict) {
    case 'COMPLETED':
      return { x, glyph: 'tick', tone: 'ok', lost: false };
    case 'RETRY':
      return { x, glyph: 'back', tone: 'rest', lost: false };
    case 'LOST':
      return { x, glyph: 'bolt', tone: 'bad', lost: true };
    case 'STUCK':
      return { x, glyph: 'diamond', tone: 'you', lost: false };
    case 'FAILED':
      return { x, glyph: 'octagon', tone: 'bad', lost: false };
    case null:
      return { x, glyph: 'arc', tone: 'run', lost: false };
  }
}

function Way({ from, to, row }: { from: Stop | undefined; to: Stop; row: number }) {
  if (!from) return null;
  const y = row * ROW + 40;
  const open = to === WAITS;
  return (
    <path
      d={`M${from.x} ${y}C${from.x} ${y + 20} ${to.x} ${y + 20} ${to.x} ${y + 40}`}
      fill="none"
      stroke={open ? 'var(--you)' : 'var(--control)'}
      strokeWidth="2"
      strokeDasharray={open ? '4 4' : from.lost ? '3 3' : undefined}
      className={open ? 'flow' : undefined}
    />
  );
}

import type { RelayRow } from '../../client/index.js';
import { Glyph, type Tone } from '../parts/status.js';

const ROW = 60;
const LANES = { worker: 28, review: 68, you: 108 } as const;

type Stop = { x: number; glyph: Parameters<typeof Glyph>[0]['glyph']; tone: Tone; lost: boolean };

type Props = { rows: ReadonlyMap<number, RelayRow>; first: number; last: number; waits: boolean };

/** The way of the baton beside the rows that are drawn, like a graph of commits. */
export function RelayLanes({ rows, first, last, waits }: Props) {
  const numbers = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  const stops = [...numbers.map((one) => stopAt(rows.get(one))), ...(waits ? [WAITS] : [])];
  const height = stops.length * ROW;
  const before = stopAt(rows.get(first - 1));
  return (
    <svg className="lanes wide" width="136" height={height} aria-hidden="true">
      {Object.values(LANES).map((x) => (
        <path key={x} d={`M${x} 0V${height}`} stroke="var(--line)" />
      ))}
      {stops.map((stop, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a way is its row, and rows keep their place
        <Way key={first + index} from={index === 0 ? before : stops[index - 1]} to={stop} row={index - 1} />
      ))}
      {stops.map(
        (stop, index) =>
          stop && (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <g key={`stop ${first + index}`} transform={`translate(${stop.x - 8} ${index * ROW + 22})`}>
              <circle cx="8" cy="8" r="10" fill="var(--surface)" />
              <Glyph glyph={stop.glyph} tone={stop.tone} size={16} />
            </g>
          ),
      )}
    </svg>
  );
}

const WAITS: Stop = { x: LANES.you, glyph: 'diamond', tone: 'you', lost: false };

function stopAt(row: RelayRow | undefined): Stop | undefined {
  return row && stopOf(row);
}

export function stopOf(row: RelayRow): Stop {
  const { role, verdict } = row;
  const x = role === 'Supervisor' ? LANES.review : LANES.worker;
  switch (verdict) {
    case 'COMPLETED':
      return { x, glyph: 'tick', tone: 'ok', lost: false };
    case 'RETRY':
    case 'ASKED':
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

function Way({ from, to, row }: { from: Stop | undefined; to: Stop | undefined; row: number }) {
  if (!from || !to) return null;
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

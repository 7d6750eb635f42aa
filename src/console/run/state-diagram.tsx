import { lookOf } from '../parts/status.js';

type Place = { x: number; y: number; w: number; name: string };

const PLACES: Readonly<Record<string, Place>> = {
  DRAFT: { x: 8, y: 44, w: 62, name: 'Draft' },
  PENDING: { x: 94, y: 44, w: 70, name: 'Pending' },
  RUNNING: { x: 188, y: 44, w: 72, name: 'Running' },
  REVIEWING: { x: 284, y: 44, w: 82, name: 'Reviewing' },
  INTERVENTION_REQUIRED: { x: 176, y: 122, w: 98, name: 'Intervention' },
  HALTED_TIME: { x: 8, y: 108, w: 92, name: 'Halted, time' },
  HALTED_COST: { x: 8, y: 144, w: 92, name: 'Halted, cost' },
  CANCELED: { x: 104, y: 186, w: 80, name: 'Canceled' },
  SUCCESS: { x: 284, y: 186, w: 82, name: 'Success' },
};
const HEIGHT = 26;

/** What happened and not only what could: passed edges are solid and say how often, the present state is filled. */
export function StateDiagram({ status, moves }: { status: string; moves: ReadonlyMap<string, number> }) {
  const words = [...moves].map(([move, times]) => `${move.replace(' ', ' to ').toLowerCase()} ${times} times`);
  return (
    <svg
      className="states"
      viewBox="0 0 376 226"
      role="img"
      aria-label={`Now ${lookOf(status).word}. Passed: ${words.join(', ') || 'nothing yet'}`}
    >
      <defs>
        <marker
          id="tip"
          viewBox="0 0 6 6"
          refX="5"
          refY="3"
          markerWidth="6"
          markerHeight="6"
          orient="auto-start-reverse"
        >
          <path d="M0 0 6 3 0 6z" fill="var(--control)" />
        </marker>
      </defs>
      {[...moves].map(([move, times], index) => (
        <Edge key={move} move={move} times={times} nth={index} />
      ))}
      {Object.entries(PLACES).map(([name, place]) => (
        <Node key={name} place={place} now={name === status} passed={isPassed(moves, name)} tone={lookOf(name).tone} />
      ))}
    </svg>
  );
}

function isPassed(moves: ReadonlyMap<string, number>, name: string): boolean {
  return [...moves.keys()].some((move) => move.split(' ').includes(name));
}

type NodeProps = { place: Place; now: boolean; passed: boolean; tone: string };

function Node({ place: { x, y, w, name }, now, passed, tone }: NodeProps) {
  const fill = tone === 'you' ? 'var(--you-fill)' : `var(--${tone})`;
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={w}
        height={HEIGHT}
        rx="6"
        fill={now ? fill : 'var(--surface)'}
        stroke={now ? fill : 'var(--control)'}
        strokeDasharray={now || passed ? undefined : '3 3'}
      />
      <text
        x={x + w / 2}
        y={y + 17}
        textAnchor="middle"
        className={now ? 'now' : passed ? 'passed' : ''}
        style={now ? { fill: tone === 'you' ? 'var(--you-fill-fg)' : 'var(--bg)' } : undefined}
      >
        {name}
      </text>
    </g>
  );
}

/** To the right along the row, to the left above it, and down to where it rests or ends. */
function Edge({ move, times, nth }: { move: string; times: number; nth: number }) {
  const [from, to] = move.split(' ').map((name) => PLACES[name]);
  if (!from || !to) return null;
  const { d, x, y } = wayOf(from, to, nth);
  return (
    <g>
      <path d={d} fill="none" stroke="var(--control)" strokeWidth="1.4" markerEnd="url(#tip)" />
      <text x={x} y={y} textAnchor="middle" className="times">
        {times}×
      </text>
    </g>
  );
}

function wayOf(from: Place, to: Place, nth: number): { d: string; x: number; y: number } {
  const [ax, bx] = [from.x + from.w / 2, to.x + to.w / 2];
  if (from.y === to.y && to.x > from.x && to.x - (from.x + from.w) < 40) {
    const y = from.y + HEIGHT / 2;
    return { d: `M${from.x + from.w} ${y}H${to.x - 2}`, x: (from.x + from.w + to.x) / 2, y: from.y - 4 };
  }
  if (from.y === to.y) {
    const lift = 22 + (nth % 2) * 10;
    return {
      d: `M${ax} ${from.y}C${ax} ${from.y - lift} ${bx} ${to.y - lift} ${bx} ${to.y - 2}`,
      x: (ax + bx) / 2,
      y: from.y - lift + 6,
    };
  }
  const down = to.y > from.y;
  const [ay, by] = down ? [from.y + HEIGHT, to.y - 2] : [from.y, to.y + HEIGHT + 2];
  const middle = (ay + by) / 2;
  return { d: `M${ax} ${ay}C${ax} ${middle} ${bx} ${middle} ${bx} ${by}`, x: (ax + bx) / 2 + 12, y: middle + 4 };
}

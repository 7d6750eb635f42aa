import type { JobView } from '../../client/index.js';
import { lookOf } from '../parts/status.js';
import { HEIGHT, PLACES, type Place, POSSIBLE, wayOf } from './state-places.js';

/** What happened and not only what could: passed edges are solid and say how often, the present state is filled. */
export function StateDiagram({ status, moves: passed }: { status: string; moves: JobView['moves'] }) {
  const moves = new Map(passed.map(({ from, to, times }) => [`${from} ${to}`, times]));
  const words = passed.map(({ from, to, times }) => `${lookOf(from).word} to ${lookOf(to).word} ${times} times`);
  const been = new Set(passed.flatMap(({ from, to }) => [from, to]));
  return (
    <svg
      className="states"
      viewBox="0 0 364 206"
      role="img"
      aria-label={`Now ${lookOf(status).word}. Passed: ${words.join(', ') || 'nothing yet'}`}
    >
      <defs>
        <Tip id="tip" color="var(--text2)" />
        <Tip id="tip-faint" color="var(--control)" />
      </defs>
      {POSSIBLE.filter((move) => !moves.has(move)).map((move) => (
        <Edge key={move} move={move} times={0} />
      ))}
      {[...moves].map(([move, times]) => (
        <Edge key={move} move={move} times={times} />
      ))}
      {Object.entries(PLACES).map(([name, place]) => (
        <Node key={name} place={place} now={name === status} passed={been.has(name)} tone={lookOf(name).tone} />
      ))}
    </svg>
  );
}

function Tip({ id, color }: { id: string; color: string }) {
  return (
    <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto-start-reverse">
      <path d="M0 0 8 4 0 8z" fill={color} />
    </marker>
  );
}

type NodeProps = { place: Place; now: boolean; passed: boolean; tone: string };

function Node({ place: { x, y, w, name }, now, passed, tone }: NodeProps) {
  const fill = tone === 'you' ? 'var(--you-fill)' : `var(--${tone})`;
  return (
    <g>
      <rect
        {...{ x, y, width: w, height: HEIGHT, rx: 6 }}
        fill={now ? fill : passed ? 'var(--raised)' : 'var(--surface)'}
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

function Edge({ move, times }: { move: string; times: number }) {
  const way = wayOf(move);
  if (!way) return null;
  const passed = times > 0;
  return (
    <g>
      <path
        d={way.d}
        fill="none"
        stroke={passed ? 'var(--text2)' : 'var(--control)'}
        strokeWidth={passed ? 1.5 : 1}
        strokeDasharray={passed ? undefined : '2 3'}
        markerEnd={`url(#${passed ? 'tip' : 'tip-faint'})`}
      />
      {passed && (
        <text x={way.x} y={way.y} textAnchor="middle" className="times">
          {times}×
        </text>
      )}
    </g>
  );
}

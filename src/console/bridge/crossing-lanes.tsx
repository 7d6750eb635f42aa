import { Glyph } from '../parts/status.js';
import { type BridgeRow, CHECKPOINT_EXIT, crossingStop, roundStop } from './bridge-rows.js';

const ROW = 60;
const LANES = { orchestrator: 38, agent: 104 } as const;
const WIDTH = 136;
const RADIUS = 10;

/** The way of the baton beside the rows: over to the agent with each exit 42, and back with the answer. */
export function CrossingLanes({ rows }: { rows: readonly BridgeRow[] }) {
  const height = rows.length * ROW;
  return (
    <svg className="lanes wide" width={WIDTH} height={height} aria-hidden="true">
      {Object.values(LANES).map((x) => (
        <path key={x} d={`M${x} 0V${height}`} stroke="var(--line)" />
      ))}
      {rows.map((row, index) => (
        <g key={row.key} transform={`translate(0 ${index * ROW})`}>
          {row.crossing && <Over row={row} />}
          {index < rows.length - 1 && <Back row={row} />}
          <At x={LANES.orchestrator} stop={roundStop(row)} />
          <At x={LANES.agent} stop={crossingStop(row)} />
        </g>
      ))}
    </svg>
  );
}

const MIDDLE = ROW / 2;

function At({ x, stop }: { x: number; stop: ReturnType<typeof crossingStop> }) {
  if (!stop) return null;
  return (
    <g transform={`translate(${x - 8} ${MIDDLE - 8})`}>
      <circle cx="8" cy="8" r={RADIUS} fill="var(--surface)" />
      <Glyph glyph={stop.glyph} tone={stop.tone} size={16} />
    </g>
  );
}

const OPEN_STROKES = { you: 'var(--you)', agent: 'var(--run)', rest: 'var(--control)' } as const;

/** What leaves the orchestrator. */
function Over({ row: { round, open } }: { row: BridgeRow }) {
  const from = LANES.orchestrator + RADIUS;
  const to = LANES.agent - RADIUS;
  const stroke = open === null ? 'var(--control)' : OPEN_STROKES[open];
  return (
    <>
      <path
        d={`M${from} ${MIDDLE}H${to}`}
        fill="none"
        stroke={stroke}
        strokeWidth="2"
        strokeDasharray={open === null ? undefined : '4 4'}
        className={open === 'you' || open === 'agent' ? 'flow' : undefined}
      />
      <path d={`M${to - 5} ${MIDDLE - 4}l5 4-5 4`} fill="none" stroke={stroke} strokeWidth="2" />
      {round?.exit?.code === CHECKPOINT_EXIT && (
        <text x={(from + to) / 2} y={MIDDLE - 7} textAnchor="middle">
          {CHECKPOINT_EXIT}
        </text>
      )}
    </>
  );
}

/** What leads to the next start. */
function Back({ row }: { row: BridgeRow }) {
  const x = row.crossing ? LANES.agent : LANES.orchestrator;
  const isLost = !row.crossing && row.round?.lost !== null;
  const top = MIDDLE + RADIUS;
  const bottom = ROW + MIDDLE - RADIUS;
  return (
    <path
      d={`M${x} ${top}C${x} ${top + 26} ${LANES.orchestrator} ${bottom - 26} ${LANES.orchestrator} ${bottom}`}
      fill="none"
      stroke="var(--control)"
      strokeWidth="2"
      strokeDasharray={isLost || row.open !== null ? '3 3' : undefined}
    />
  );
}

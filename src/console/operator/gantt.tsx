import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { LedgerBoard } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { clockTime } from '../parts/figures.js';
import { IS_SMALL } from '../runs/use-window.js';
import { type BoardTask, countOf } from './board-task.js';
import { DependencyPaths } from './dependency-paths.js';
import { barsOf } from './gantt-bars.js';
import { GANTT_ROW_PX, GanttRow } from './gantt-row.js';
import { plannedTimes } from './planned-times.js';
import { deadlineMs, placeOf, type TimeScale, timeScale } from './time-scale.js';
import { useScrolled } from './use-scrolled.js';

const LABEL_PX = IS_SMALL ? 64 : 236;
const PLOT_PX_LEAST = IS_SMALL ? 560 : 380;
const EDGE_PX = 10;
const ID_LENGTH_MAX = IS_SMALL ? 4 : 8;
const AXIS_PX = 30;
const ROWS_SHOWN_MAX = 14;

type Props = {
  board: LedgerBoard;
  tasks: readonly BoardTask[];
  beats: ReadonlyMap<string, readonly string[]>;
  chosen: string | null;
  allLines: boolean;
  onChoose(task: string): void;
};

/** Who worked when, who works now and for how long still, and what is to come. Only rows in sight are drawn. */
export function Gantt({ board, tasks, beats, chosen, allLines, onChoose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { scale, planned } = useScale(board, tasks);
  const { top, height, width } = useScrolled(box);
  useFirstPlace(box, tasks, scale, width);
  const plot = Math.max(PLOT_PX_LEAST, width - LABEL_PX - 2 * EDGE_PX);
  const first = Math.max(0, Math.floor((top - AXIS_PX) / GANTT_ROW_PX) - 4);
  const last = Math.min(tasks.length, Math.ceil((top + height) / GANTT_ROW_PX) + 4);
  const drawn = tasks.slice(first, last);
  const idLength = useMemo(
    () => tasks.reduce((most, { task_id }) => Math.min(ID_LENGTH_MAX, Math.max(most, task_id.length)), 3),
    [tasks],
  );
  const place = (share: number): number => EDGE_PX + share * plot;
  const size = { width: LABEL_PX + plot + 2 * EDGE_PX, height: tasks.length * GANTT_ROW_PX };
  return (
    <>
      <p className="vh">{summaryOf(tasks)}</p>
      <section
        ref={box}
        className="gantt"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
        tabIndex={0}
        aria-label="Gantt"
        style={{ maxHeight: AXIS_PX + ROWS_SHOWN_MAX * GANTT_ROW_PX }}
      >
        <Axis scale={scale} place={place} width={size.width} />
        <div className="gantt-plot" style={size}>
          <Grid scale={scale} place={place} height={size.height} />
          <ul>
            {drawn.map((task, index) => (
              <GanttRow
                key={task.task_id}
                task={task}
                top={(first + index) * GANTT_ROW_PX}
                label={LABEL_PX}
                idLength={idLength}
                width={plot + 2 * EDGE_PX}
                bars={barsOf(task, scale, planned.get(task.task_id))}
                beats={beatsOf(task, beats).map((at) => placeOf(scale, Date.parse(at)))}
                place={place}
                chosen={task.task_id === chosen}
                onChoose={onChoose}
              />
            ))}
          </ul>
          <DependencyPaths
            {...{ tasks, chosen, all: allLines, left: LABEL_PX, place }}
            edges={(task) => barsOf(task, scale, planned.get(task.task_id))}
            rows={{ first, last }}
          />
          <NowLine scale={scale} place={place} height={size.height} />
        </div>
      </section>
    </>
  );
}

/** Ages go by seconds, but the picture moves only when that is as wide as something. */
function useScale(board: LedgerBoard, tasks: readonly BoardTask[]) {
  const { nowMs } = useLive();
  const openedMs = Date.parse(board.opened_at);
  const restedMs = board.rested_at === null ? null : Date.parse(board.rested_at);
  const stepMs = Math.max(1_000, (nowMs - openedMs) / 600);
  const seenMs = restedMs ?? Math.ceil(nowMs / stepMs) * stepMs;
  return useMemo(() => {
    const planned = plannedTimes(tasks, seenMs);
    const ends = tasks.map((task) =>
      task.status === 'in_progress' ? deadlineMs(task) : (planned.get(task.task_id)?.toMs ?? 0),
    );
    const aheadMs = ends.reduce((most, end) => Math.max(most, end), 0) + 30_000;
    return { planned, scale: timeScale({ openedMs, restedMs, nowMs: seenMs, aheadMs }) };
  }, [openedMs, restedMs, seenMs, tasks]);
}

/** Opens where something happens: at now, and at the first task that is not over. */
function useFirstPlace(
  box: RefObject<HTMLDivElement | null>,
  tasks: readonly BoardTask[],
  scale: TimeScale,
  width: number,
): void {
  const isPlaced = useRef(false);
  useEffect(() => {
    if (isPlaced.current || !box.current || width === 0 || tasks.length === 0) return;
    isPlaced.current = true;
    const open = tasks.findIndex(({ status }) => status !== 'done' && status !== 'canceled');
    if (open > ROWS_SHOWN_MAX - 4) box.current.scrollTop = (open - 3) * GANTT_ROW_PX;
    const nowPx = LABEL_PX + EDGE_PX + placeOf(scale, scale.nowMs) * PLOT_PX_LEAST;
    if (nowPx > width) box.current.scrollLeft = nowPx - width * 0.7;
  }, [box, tasks, scale, width]);
}

type Places = { scale: TimeScale; place(share: number): number };

function Axis({ scale, place, width }: Places & { width: number }) {
  const now = place(placeOf(scale, scale.nowMs));
  return (
    <svg className="gantt-axis" width={width} height={AXIS_PX} aria-hidden="true">
      {scale.ticks.map(({ ms, label }) => {
        const x = LABEL_PX + place(placeOf(scale, ms));
        const toNow = LABEL_PX + now - x;
        const isFree = scale.over || toNow > 64 || toNow < -20;
        return isFree && x + 36 < width ? (
          <text key={ms} x={x + 4} y={19}>
            {label}
          </text>
        ) : null;
      })}
      {!scale.over && (
        <>
          <rect className="now-flag" x={LABEL_PX + now - 20} y={5} width={40} height={18} rx={4} />
          <text className="now-text" x={LABEL_PX + now} y={18} textAnchor="middle">
            {clockTime(scale.nowMs).slice(0, 5)}
          </text>
        </>
      )}
    </svg>
  );
}

function Grid({ scale, place, height }: Places & { height: number }) {
  return (
    <Over height={height}>
      {scale.ticks.map(({ ms }) => (
        <path key={ms} d={`M${LABEL_PX + place(placeOf(scale, ms))} 0V${height}`} stroke="var(--line)" />
      ))}
      <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V5" stroke="var(--control)" strokeWidth="1.2" />
      </pattern>
    </Over>
  );
}

function NowLine({ scale, place, height }: Places & { height: number }) {
  if (scale.over) return null;
  const x = LABEL_PX + place(placeOf(scale, scale.nowMs));
  return (
    <Over height={height}>
      <path d={`M${x} 0V${height}`} stroke="var(--text)" strokeWidth="1.5" />
    </Over>
  );
}

function Over({ height, children }: { height: number; children: ReactNode }) {
  return (
    <svg className="gantt-over" width="100%" height={height} aria-hidden="true">
      {children}
    </svg>
  );
}

/** Of the attempt under way; those of earlier ones are over. */
function beatsOf({ task_id, attempts }: BoardTask, beats: Props['beats']): readonly string[] {
  const from = attempts.at(-1)?.from ?? '';
  return (beats.get(task_id) ?? []).filter((at) => at >= from);
}

function summaryOf(tasks: readonly BoardTask[]): string {
  const words: [number, string][] = [
    [countOf(tasks, 'done'), 'done'],
    [countOf(tasks, 'in_progress'), 'in progress'],
    [countOf(tasks, 'blocked'), 'blocked'],
    [countOf(tasks, 'failed'), 'failed'],
    [countOf(tasks, 'todo'), 'to do'],
  ];
  const counts = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `Gantt of ${tasks.length} tasks: ${counts.join(', ')}. The ledger below has the same as a table.`;
}

/** Whether lines of all dependencies are drawn; `L` changes it. */
export function useAllLines(): [boolean, () => void] {
  const [all, setAll] = useState(false);
  return [all, () => setAll((before) => !before)];
}

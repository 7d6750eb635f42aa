import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import type { BoardTask } from './board-task.js';
import type { Bar, TaskBars } from './gantt-bars.js';

export const GANTT_ROW_PX = 34;
const BAR = { y: 11, height: 12 };

type Props = {
  task: BoardTask;
  top: number;
  label: number;
  /** Of the longest name of a task, as far as there is room for it. */
  idLength: number;
  width: number;
  bars: TaskBars;
  beats: readonly number[];
  place(share: number): number;
  chosen: boolean;
  onChoose(task: string): void;
};

export function GanttRow({ task, top, label, idLength, width, bars, beats, place, chosen, onChoose }: Props) {
  const { glyph, tone, word } = lookOf(task.status);
  return (
    <li className={`gantt-row ${chosen ? 'on' : ''}`} style={{ top, height: GANTT_ROW_PX }}>
      <button
        type="button"
        className="gantt-label"
        style={{ width: label }}
        aria-pressed={chosen}
        onClick={() => onChoose(task.task_id)}
      >
        <Glyph glyph={glyph} tone={tone} />
        <span className="m t3 el" style={{ width: `${idLength}ch` }}>
          <Words text={task.task_id} />
        </span>
        <span className="gantt-name hide-s">
          <Words text={task.title} className="b el sm" />
          <Words text={task.owner === '' ? 'unassigned' : task.owner} className="t3 el micro" />
        </span>
        <span className="vh">, {word}</span>
      </button>
      <svg width={width} height={GANTT_ROW_PX} aria-hidden="true">
        {bars.bars.map((bar) => (
          <BarShape key={`${bar.kind} ${bar.from}`} bar={bar} place={place} />
        ))}
        {task.status === 'in_progress' &&
          beats.map((beat) => <path key={beat} className="beat" d={`M${place(beat)} 14v6`} />)}
        {bars.deadline !== null && <path className="deadline" d={`M${place(bars.deadline)} 8v18`} />}
      </svg>
    </li>
  );
}

function BarShape({ bar: { kind, from, to }, place }: { bar: Bar; place(share: number): number }) {
  const x = place(from);
  return (
    <rect className={`bar ${kind}`} x={x} {...BAR} width={Math.max(3, place(to) - x)} rx={kind === 'left' ? 0 : 3} />
  );
}

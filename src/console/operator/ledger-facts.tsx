import type { ReactNode } from 'react';
import type { LedgerBoard } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { dollars, grouped, span, tokens } from '../parts/figures.js';
import { type BoardTask, countOf, heldUpBy } from './board-task.js';

/** Six figures of a run. */
export function LedgerFacts({ board, tasks }: { board: LedgerBoard; tasks: readonly BoardTask[] }) {
  const { nowMs } = useLive();
  const [done, active, waits] = [countOf(tasks, 'done'), countOf(tasks, 'in_progress'), countOf(tasks, 'todo')];
  const untilMs = board.rested_at === null ? nowMs : Date.parse(board.rested_at);
  const holders = new Set(board.ledger.active_locks.map(({ task_id }) => task_id)).size;
  return (
    <section className="facts" aria-label="Figures">
      <Figure name="Done" value={grouped(done)} more={`of ${grouped(tasks.length)} tasks`}>
        <Share of={done / Math.max(1, tasks.length)} tone="ok" />
      </Figure>
      <Figure name="Running" value={grouped(active)} more={waits > 0 ? `at work, ${grouped(waits)} wait` : 'at work'}>
        <Share of={active / Math.max(1, active + waits)} tone="run" />
      </Figure>
      <Blocked tasks={tasks} />
      <Figure
        name="Locks held"
        value={grouped(board.ledger.active_locks.length)}
        more={`by ${holders === 1 ? '1 task' : `${holders} tasks`}`}
      />
      <Figure name="Cost" value={dollars(board.cost_usd)} more={`${tokens(board.tokens)} tokens`} />
      <Figure
        name="Time"
        value={span(untilMs - Date.parse(board.opened_at))}
        more={board.rested_at === null ? 'so far' : 'in all'}
      />
    </section>
  );
}

function Blocked({ tasks }: { tasks: readonly BoardTask[] }) {
  const stuck = tasks.filter(({ status }) => status === 'blocked' || status === 'failed');
  const held = new Set(stuck.flatMap(({ task_id }) => heldUpBy(tasks, task_id))).size;
  return (
    <Figure
      name="Blocked or failed"
      value={grouped(stuck.length)}
      more={heldWords(stuck.length, held)}
      tone={stuck.length > 0 ? 'bad' : ''}
    />
  );
}

function heldWords(stuck: number, held: number): string {
  if (stuck === 0) return 'nothing is stuck';
  return held === 0 ? 'nothing waits for it' : `${stuck === 1 ? 'holds' : 'hold'} up ${grouped(held)} more`;
}

type FigureProps = { name: string; value: string; more: string; tone?: string; children?: ReactNode };

function Figure({ name, value, more, tone = '', children }: FigureProps) {
  return (
    <div>
      <div className="lab">{name}</div>
      <div className={`v ${tone}`}>
        {value} <small>{more}</small>
      </div>
      {children}
    </div>
  );
}

function Share({ of, tone }: { of: number; tone: 'ok' | 'run' }) {
  return (
    <div className="meter" aria-hidden="true">
      <i style={{ width: `${of * 100}%`, background: `var(--${tone})` }} />
    </div>
  );
}

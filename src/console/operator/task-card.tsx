import { Link } from '../frame/link.js';
import { useLive } from '../live/live-context.js';
import { Card, Fact } from '../parts/card.js';
import { clockTime, span } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph, lookOf, StatusMark } from '../parts/status.js';
import type { BoardTask } from './board-task.js';

/** The chosen task: what it may do, what it waits for, and every attempt at it. */
export function TaskCard({ task }: { task: BoardTask }) {
  const { waits_for, forbidden_scope, lock_scope, commit, reason, code, status } = task;
  return (
    <Card title={`${task.task_id}`} beside={<StatusMark status={status} />}>
      <div className="in stack task-card">
        <Words text={task.title} className="b" />
        {reason !== null && (
          <div>
            {code !== null && <span className="m bad">{code}</span>}
            <Lines text={reason} className="quote" />
          </div>
        )}
        <dl className="f sm">
          <Fact name="May write">
            <Words text={lock_scope.join(', ')} className="m" />
          </Fact>
          {forbidden_scope.length > 0 && (
            <Fact name="Must not touch">
              <Words text={forbidden_scope.join(', ')} className="m" />
            </Fact>
          )}
          {waits_for.length > 0 && (
            <Fact name="Waits for">
              <Words text={waitWords(waits_for)} />
            </Fact>
          )}
          <Fact name="Criteria accepted">
            {task.criteria.proven} of {task.criteria.of}
          </Fact>
          <Fact name="Priority">
            <Words text={task.type === 'serial' ? `${task.priority}, runs alone` : task.priority} />
          </Fact>
          {commit !== null && (
            <Fact name="Merged as">
              <span className="m">{commit.slice(0, 8)}</span>
            </Fact>
          )}
        </dl>
      </div>
      <Attempts task={task} />
    </Card>
  );
}

function Attempts({ task: { attempts } }: { task: BoardTask }) {
  const { nowMs } = useLive();
  if (attempts.length === 0) return null;
  return (
    <ul className="plain attempts" aria-label="Attempts">
      {attempts.map(({ attempt, owner, run_id, from, to, end, code }) => {
        const look = lookOf(to === null ? 'in_progress' : end === 'done' ? 'done' : 'failed');
        return (
          <li key={attempt}>
            <Glyph glyph={look.glyph} tone={look.tone} />
            <span className="nw">
              {run_id === null ? (
                `Attempt ${attempt}`
              ) : (
                <Link to={`/runs/${encodeURIComponent(run_id)}`} className="l">
                  Attempt {attempt}
                </Link>
              )}
            </span>
            <Words text={code ?? owner} className={code === null ? 't2 el' : 'm bad el'} />
            <span className="t3 num nw">
              {clockTime(from).slice(0, 5)}, {span((to === null ? nowMs : Date.parse(to)) - Date.parse(from))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function waitWords(waits: BoardTask['waits_for']): string {
  return waits
    .map(({ task_id, resource }) => (resource === undefined ? task_id : `${task_id} (${resource})`))
    .join(', ');
}

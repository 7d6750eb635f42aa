import type { LedgerBoard, WorklogEntry } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { Card } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { clockTime } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import type { BoardTask } from './board-task.js';
import { GOALS, percent } from './ledger-words.js';
import { lockRows } from './lock-rows.js';
import { LockTree } from './lock-tree.js';
import { TaskCard } from './task-card.js';

const ENTRIES_MAX = 30;

type Props = { board: LedgerBoard; version: number; tasks: readonly BoardTask[]; chosen: BoardTask | undefined };

/** Locks, what is in the way, the chosen task with its worklog, how well it goes, and the command. */
export function LedgerSide({ board, version, tasks, chosen }: Props) {
  const { ledger } = board;
  const active = tasks.filter(({ status }) => status === 'in_progress').length;
  const item = tasks.find((task) => task.item !== null)?.item ?? null;
  return (
    <div className="stack">
      <Card title="Locks" beside={<span className="sm t3">who may write where</span>}>
        <LockTree rows={lockRows(board, tasks)} active={active} />
      </Card>
      <Blockers board={board} tasks={tasks} />
      {chosen && <TaskCard task={chosen} />}
      <Worklog run={ledger.run_id} task={chosen?.task_id} version={version} live={ledger.status === 'running'} />
      <Metrics board={board} />
      <div className="card in cli-card">
        <CommandLine command={item === null ? `baton operator ledger ${ledger.run_id}` : `baton inbox ${item}`} />
      </div>
    </div>
  );
}

function Blockers({ board: { ledger }, tasks }: Pick<Props, 'board' | 'tasks'>) {
  if (ledger.blockers.length === 0) return null;
  const endOf = (task: string) => tasks.find(({ task_id }) => task_id === task)?.attempts.at(-1)?.to;
  return (
    <Card title="Blockers" beside={<span className="chip bad">{ledger.blockers.length}</span>}>
      <ul className="plain blockers">
        {ledger.blockers.map(({ task_id, code, reason }) => {
          const since = endOf(task_id);
          return (
            <li key={task_id}>
              <div className="row">
                <Glyph glyph="square" tone="bad" />
                <Words text={task_id} className="b" />
                <Words text={code} className="m bad" />
                <span className="sp" />
                {since && (
                  <span className="t3 sm">
                    <Ago at={since} />
                  </span>
                )}
              </div>
              <Lines text={reason} className="t2" />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

type WorklogProps = { run: string; task: string | undefined; version: number; live: boolean };

/** What was written down about a task, or about all of them; the newest first. */
function Worklog({ run, task, version, live }: WorklogProps) {
  const { value, error } = useLoaded(`worklog ${run} ${task ?? ''}`, version, () => client.ledgers.worklog(run, task));
  const entries = (value?.items ?? []).slice(-ENTRIES_MAX).toReversed();
  const beside = live ? <span className="chip run">live</span> : null;
  return (
    <Card title={task === undefined ? 'Worklog' : `Worklog of ${task}`} beside={beside}>
      {error && !value && (
        <p className="in bad">
          <Words text={error.message} />
        </p>
      )}
      {value && entries.length === 0 && <p className="in t2">Nothing was written down yet.</p>}
      <ul className="plain worklog" tabIndex={entries.length > 0 ? 0 : undefined}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added, and counted from the newest
          <Entry key={`${entry.timestamp} ${entries.length - index}`} entry={entry} withTask={task === undefined} />
        ))}
      </ul>
    </Card>
  );
}

function Entry({ entry, withTask }: { entry: WorklogEntry; withTask: boolean }) {
  return (
    <li>
      <span className="num t3" title={entry.timestamp}>
        {clockTime(entry.timestamp)}
      </span>
      <div>
        <div className="row g4 wrap">
          <Words text={withTask ? entry.task_id : entry.actor} className="m" />
          <Words text={entry.action} />
          {entry.code !== undefined && <Words text={entry.code} className="m bad" />}
        </div>
        <Lines text={entry.result} className="quote sm" />
      </div>
    </li>
  );
}

function Metrics({ board: { metrics } }: { board: LedgerBoard }) {
  return (
    <Card title="How well it goes">
      <ul className="plain tight goals">
        {GOALS.map((goal) => {
          const value = metrics[goal.key];
          const isReached = value !== null && goal.isReached(value);
          return (
            <li key={goal.key}>
              {value === null ? (
                <Glyph glyph="dashes" tone="rest" />
              ) : (
                <Glyph glyph={isReached ? 'tick' : 'octagon'} tone={isReached ? 'ok' : 'bad'} />
              )}
              <span>{goal.name}</span>
              <span className="t3 sm">goal: {goal.goal}</span>
              <span className={`num ${value === null || isReached ? '' : 'bad'}`}>
                {value === null ? 'not yet' : percent(goal, value)}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

import { useState } from 'react';
import type { LedgerBoard } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { answersTo } from '../inbox/answers.js';
import { useLive } from '../live/live-context.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import { AnswerDialog } from '../run/acts/answer-dialog.js';
import type { BoardTask } from './board-task.js';
import { meanwhile, stateWords, troubleOf } from './ledger-words.js';

type Props = { board: LedgerBoard; tasks: readonly BoardTask[]; onDone(said: string): void };

/** What is in the way, and what can be done about it; when nothing is, how the run stands. */
export function LedgerSentence({ board, tasks, onDone }: Props) {
  const waiting = tasks.filter(({ item }) => item !== null);
  const [first, ...others] = waiting;
  if (!first) return <Standing board={board} tasks={tasks} />;
  const more =
    others.length === 0
      ? ''
      : ` And ${others.length === 1 ? others[0]?.task_id : `${others.length} more tasks`} waits too.`;
  return (
    <div className="callout">
      <Glyph glyph="diamond" tone="you" size={22} />
      <div className="say sp">
        <b>
          Waiting for you: <Words text={`${troubleOf(first)}.`} />
        </b>{' '}
        <span className="t2">
          <Words text={meanwhile(tasks, first) + more.replace('tasks waits', 'tasks wait')} />
        </span>
      </div>
      <Answers item={first.item as number} onDone={onDone} />
    </div>
  );
}

function Answers({ item: number, onDone }: { item: number; onDone(said: string): void }) {
  const { items } = useLive();
  const [answering, setAnswering] = useState<string | null>(null);
  const item = items?.find((one) => one.item === number);
  const first = item && answersTo(item).find(({ barred }) => barred === undefined);
  return (
    <>
      {first && (
        <button type="button" className="btn a" onClick={() => setAnswering(first.key)}>
          <Words text={`${first.name}…`} />
        </button>
      )}
      <Link to={`/inbox/${number}`} className="btn">
        Decide
      </Link>
      {item && answering !== null && (
        <AnswerDialog item={item} first={answering} onClose={() => setAnswering(null)} onDone={onDone} />
      )}
    </>
  );
}

function Standing({ board, tasks }: Omit<Props, 'onDone'>) {
  const { glyph, tone, word } = lookOf(board.ledger.status);
  return (
    <div className="row state-row">
      <Glyph glyph={glyph} tone={tone} size={18} />
      <p className="say sp">
        <b className={tone}>{word}.</b>{' '}
        <span className="t2">
          <Words text={stateWords(board, tasks)} />
        </span>
      </p>
    </div>
  );
}

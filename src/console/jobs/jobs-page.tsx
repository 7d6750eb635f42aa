import { useEffect, useRef, useState } from 'react';
import { BatonError, type JobCard } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { Icon } from '../frame/icon.js';
import { isTyping } from '../frame/use-keys.js';
import { client } from '../live/client.js';
import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { Glyph } from '../parts/status.js';
import { COLUMNS, ranksFor } from './columns.js';
import { DependencyLines } from './dependency-lines.js';
import { Lane } from './lane.js';
import { useBoard } from './use-board.js';

/** Jobs by what they wait for. Only the queue can be ordered, by dragging or by keys; all else moves by itself. */
export function JobsPage() {
  const [held, setHeld] = useState(false);
  const { board, isThere, error, pending, sort, again } = useBoard(held);
  const [problem, setProblem] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const area = useRef<HTMLDivElement>(null);
  useSort(sort);
  const move = async (id: string, to: number): Promise<void> => {
    setProblem(null);
    try {
      for (const { id: run, rank } of ranksFor(board.queue, id, to)) await client.jobs.act(run, 'rank', { rank });
      sort();
    } catch (failure) {
      setProblem(failure instanceof BatonError ? `${failure.message} (${failure.code})` : String(failure));
    }
  };
  const shown =
    pointed === null
      ? undefined
      : Object.values(board)
          .flat()
          .find(({ run_id }) => run_id === pointed);
  return (
    <div className="pad board-page">
      <Tools pending={pending} sort={sort} card={shown} />
      {(problem ?? error) && (
        <p className="banner refused" role="alert">
          {problem ?? `Jobs could not be read: ${error?.message}.`}
          <button type="button" className="btn s" onClick={again}>
            Try again
          </button>
        </p>
      )}
      <section
        ref={area}
        className="board"
        aria-label="Board"
        aria-busy={!isThere}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => {
          setHeld(false);
          setPointed(null);
        }}
      >
        {COLUMNS.map(({ id, name, empty, look }) => (
          <section key={id} className="lane" aria-label={name}>
            <h2 className="row">
              <Glyph glyph={look.glyph} tone={look.tone} />
              <span className={id === 'you' && board.you.length > 0 ? 'you' : ''}>{name}</span>
              <span className="sp" />
              <span className="num t3">{grouped(board[id].length)}</span>
            </h2>
            <Lane column={id} cards={board[id]} move={move} onPoint={setPointed} />
            {isThere && board[id].length === 0 && <p className="sm t3 lane-empty">{empty}</p>}
          </section>
        ))}
        <DependencyLines area={area} card={shown} all={Object.values(board).flat()} />
      </section>
    </div>
  );
}

type ToolsProps = { pending: number; sort(): void; card: JobCard | undefined };

function Tools({ pending, sort, card }: ToolsProps) {
  return (
    <div className="row wrap tools">
      <h1>Jobs</h1>
      {pending > 0 && (
        <button type="button" className="btn s" onClick={sort}>
          <b>{grouped(pending)} moved</b>
          <kbd>.</kbd>
        </button>
      )}
      <span className="sp" />
      <CommandOf card={card} />
      <button type="button" className="btn p" onClick={() => goTo('/runs?new=1')}>
        <Icon name="plus" size={14} />
        New job<kbd>N</kbd>
      </button>
    </div>
  );
}

/** The same act on the command line, for the card that is pointed at. */
function CommandOf({ card }: { card: JobCard | undefined }) {
  const command = !card ? 'baton runs' : `baton job show ${card.run_id}`;
  return (
    <div className="hide-s">
      <CommandLine command={command} />
    </div>
  );
}

function useSort(sort: () => void): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key === '.' && !isTyping(event.target)) sort();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [sort]);
}

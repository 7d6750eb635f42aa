import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { BatonError, type JobCard } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { Icon } from '../frame/icon.js';
import { isTyping } from '../frame/use-keys.js';
import { client } from '../live/client.js';
import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { Glyph } from '../parts/status.js';
import { COLUMNS, type Column, ranksFor } from './columns.js';
import { DependencyLines } from './dependency-lines.js';
import { JobTile } from './job-tile.js';
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
      <div className="row wrap tools">
        <h1>Jobs</h1>
        {pending > 0 && (
          <button type="button" className="btn s" onClick={sort}>
            <b>{grouped(pending)} moved</b>
            <kbd>.</kbd>
          </button>
        )}
        <span className="sp" />
        <CommandOf card={shown} />
        <button type="button" className="btn p" onClick={() => goTo('/runs?new=1')}>
          <Icon name="plus" size={14} />
          New job<kbd>N</kbd>
        </button>
      </div>
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

/** The same act on the command line, for the card that is pointed at. */
function CommandOf({ card }: { card: JobCard | undefined }) {
  const command = !card ? 'baton runs' : `baton job show ${card.run_id}`;
  return (
    <div className="hide-s">
      <CommandLine command={command} />
    </div>
  );
}

type LaneProps = {
  column: Column;
  cards: readonly JobCard[];
  move(id: string, to: number): void;
  onPoint(id: string): void;
};

function Lane({ column, cards, move, onPoint }: LaneProps) {
  const [over, setOver] = useState<number | null>(null);
  const dragged = useRef<string | null>(null);
  const sorts = column === 'queue';
  const drop = (): void => {
    const from = cards.findIndex(({ run_id }) => run_id === dragged.current);
    if (dragged.current !== null && over !== null && from !== -1) move(dragged.current, over > from ? over - 1 : over);
    dragged.current = null;
    setOver(null);
  };
  const press = (event: KeyboardEvent, card: JobCard, index: number): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!sorts || !event.altKey || step === undefined) return;
    event.preventDefault();
    const to = index + step;
    if (to >= 0 && to < cards.length) move(card.run_id, to);
  };
  return (
    <ol className="tiles" onDragLeave={() => setOver(null)}>
      {cards.map((card, index) => (
        <li
          key={card.run_id}
          data-run={card.run_id}
          className={`tile ${columnClass(column)} ${over === index ? 'over' : ''} ${over === index + 1 && index === cards.length - 1 ? 'under-it' : ''}`}
          draggable={sorts}
          onDragStart={() => {
            dragged.current = card.run_id;
          }}
          onDragOver={(event) => {
            if (dragged.current === null) return;
            event.preventDefault();
            const { top, height } = event.currentTarget.getBoundingClientRect();
            setOver(event.clientY > top + height / 2 ? index + 1 : index);
          }}
          onDragEnd={() => setOver(null)}
          onDrop={drop}
          onPointerEnter={() => onPoint(card.run_id)}
          onFocus={() => onPoint(card.run_id)}
          onKeyDown={(event) => press(event, card, index)}
        >
          <JobTile card={card} />
          {sorts && (
            <Moves
              title={card.title ?? card.run_id}
              up={index > 0 ? () => move(card.run_id, index - 1) : null}
              down={index < cards.length - 1 ? () => move(card.run_id, index + 1) : null}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

function columnClass(column: Column): string {
  return column === 'queue' ? 'sorts' : column === 'you' ? 'waits' : '';
}

type MovesProps = { title: string; up: (() => void) | null; down: (() => void) | null };

function Moves({ title, up, down }: MovesProps) {
  return (
    <span className="moves">
      <button type="button" className="icon" disabled={!up} aria-label={`Move ${title} up`} onClick={up ?? undefined}>
        <Icon name="up" size={12} />
      </button>
      <button
        type="button"
        className="icon"
        disabled={!down}
        aria-label={`Move ${title} down`}
        onClick={down ?? undefined}
      >
        <Icon name="down" size={12} />
      </button>
    </span>
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

import { type KeyboardEvent, useRef, useState } from 'react';
import type { JobCard } from '../../client/index.js';
import { Icon } from '../frame/icon.js';
import type { Column } from './columns.js';
import { JobTile } from './job-tile.js';

type LaneProps = {
  column: Column;
  cards: readonly JobCard[];
  move(id: string, to: number): void;
  onPoint(id: string): void;
};

/** The cards of one column. Those of the queue can be dragged, and moved by keys and buttons. */
export function Lane({ column, cards, move, onPoint }: LaneProps) {
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
              title={card.title}
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

import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import type { SessionBoard, SessionEntry, SessionTask, SessionTurn } from '../../client/index.js';
import { Icon } from '../frame/icon.js';
import { clockTime, grouped } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { CallLine } from './call-line.js';
import type { LiveItem } from './folded-text.js';

/** `onFork`: go on from behind a turn. */
type Props = { board: SessionBoard; live: readonly LiveItem[]; onFork(turn: SessionTurn): void };

/** The conversation. It follows what comes only for who is at its end. */
export function Thread({ board, live, onFork }: Props) {
  const room = useRef<HTMLElement>(null);
  useFollowedEnd(room);
  const isEmpty = board.tasks.length === 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
    <section className="thread" ref={room} tabIndex={0} aria-label="Conversation">
      {board.earlier > 0 && <p className="sm t3">{grouped(board.earlier)} earlier events are in the log of the run.</p>}
      {isEmpty && <p className="t2">Nothing was said yet. Say below what should be done.</p>}
      {board.tasks.map((task) => (
        <TaskPart key={task.id + task.started_at} task={task} board={board} live={live} onFork={onFork} />
      ))}
      {live
        .filter(({ type }) => type !== 'output')
        .map(({ key, type, text }) => (
          <Said key={key} name={board.agent} at={null} isQuiet={type === 'reasoning'}>
            <Lines text={text} className="pre" />
          </Said>
        ))}
    </section>
  );
}

const AT_END_PX = 60;

/** Stays at the end for who is there. Where there is little room the conversation scrolls with all that is below it. */
function useFollowedEnd(room: RefObject<HTMLElement | null>): void {
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const scrolls = scrolling(room.current);
    if (scrolls && isAtEnd.current) scrolls.scrollTop = endOf(scrolls);
  });
  useLayoutEffect(() => {
    const column = room.current?.parentElement;
    const look = ({ target }: Event): void => {
      const scrolls = scrolling(room.current);
      if (!scrolls || target !== scrolls) return;
      isAtEnd.current = endOf(scrolls) - scrolls.scrollTop < AT_END_PX;
    };
    column?.addEventListener('scroll', look, { capture: true });
    return () => column?.removeEventListener('scroll', look, { capture: true });
  }, [room]);
}

/** How far it is to its end; to a question that is in it, so that nobody sees its answers before what they answer. */
function endOf(scrolls: HTMLElement): number {
  const end = scrolls.scrollHeight - scrolls.clientHeight;
  const gate = scrolls.querySelector('.gate');
  if (!gate) return end;
  const covered = scrolls.querySelector<HTMLElement>('.session-head')?.offsetHeight ?? 0;
  const top = scrolls.scrollTop + gate.getBoundingClientRect().top - scrolls.getBoundingClientRect().top;
  return Math.min(end, top - covered);
}

function scrolling(room: HTMLElement | null): HTMLElement | null {
  return room && getComputedStyle(room).overflowY === 'visible' ? room.parentElement : room;
}

function TaskPart({ task, board, live, onFork }: Props & { task: SessionTask }) {
  return (
    <>
      {task.from !== null && (
        <p className="sm t2 forked">
          <Icon name="branch" size={14} /> Goes on from an earlier turn
        </p>
      )}
      {task.compacts && <p className="sm t2">The thread was to be summarised.</p>}
      {task.turns.map((turn) => (
        <TurnPart key={`${turn.turn} ${turn.response_id}`} turn={turn} board={board} live={live} onFork={onFork} />
      ))}
    </>
  );
}

function TurnPart({ turn, board, live, onFork }: Props & { turn: SessionTurn }) {
  return (
    <>
      {turn.entries.map((entry) => (
        <Entry key={entry.seq} entry={entry} board={board} live={live} />
      ))}
      {turn.response_id !== null && board.status !== 'closed' && (
        <p className="turn-end sm">
          <span className="t3">turn {turn.turn}</span>
          <button type="button" className="linklike" onClick={() => onFork(turn)}>
            Fork from here
          </button>
        </p>
      )}
    </>
  );
}

function Entry({ entry, board, live }: { entry: SessionEntry; board: SessionBoard; live: readonly LiveItem[] }) {
  switch (entry.type) {
    case 'input':
      return (
        <Said name={entry.by} at={entry.at} isPerson>
          <Lines text={entry.text} className="pre" />
        </Said>
      );
    case 'message':
      return (
        <Said name={board.agent} at={entry.at}>
          <Lines text={entry.text} className="pre" />
        </Said>
      );
    case 'reasoning':
      return (
        <details className="tool thought">
          <summary className="t2 sm">Thoughts of the model</summary>
          <Lines text={entry.text} className="quote in" />
        </details>
      );
    case 'call': {
      const printed = live.filter(({ key, type }) => type === 'output' && key === entry.call_id);
      return <CallLine call={entry} live={printed.map(({ text }) => text).join('')} cwd={board.cwd} />;
    }
    case 'plan':
      return <p className="sm t3">The plan changed: {entry.plan.length} steps.</p>;
    case 'notice':
      return <Notice tone={entry.tone} code={entry.code} text={entry.text} />;
  }
}

function Notice({ tone, code, text }: { tone: 'told' | 'warning' | 'error'; code: string | null; text: string }) {
  if (tone === 'told') return <Words text={text} className="sm t3 notice" />;
  const isCut = code === 'INTERRUPTED';
  const look = isCut ? ({ glyph: 'slash', tone: 'rest' } as const) : LOOKS[tone];
  return (
    <p className="row sm t2 notice">
      <Glyph {...look} />
      <Words text={isCut ? 'Interrupted. What was done so far is kept.' : text} />
      {code !== null && !isCut && <span className="m t3">{code}</span>}
    </p>
  );
}

const LOOKS = {
  warning: { glyph: 'hexagon', tone: 'limit' },
  error: { glyph: 'octagon', tone: 'bad' },
} as const;

type SaidProps = { name: string; at: string | null; isPerson?: boolean; isQuiet?: boolean; children: ReactNode };

/** Somebody's words, under their name. */
function Said({ name, at, isPerson = false, isQuiet = false, children }: SaidProps) {
  return (
    <article className="msg">
      <span className={isPerson ? 'ava' : 'ava model'} aria-hidden="true">
        {name.slice(0, 2).toUpperCase()}
      </span>
      <div className={isQuiet ? 't2' : ''}>
        <div className="row">
          <Words text={name} className="who" />
          <span className="t3 sm">{at === null ? (isQuiet ? 'thinks' : 'writes') : clockTime(at).slice(0, 5)}</span>
        </div>
        {children}
      </div>
    </article>
  );
}

import { useEffect, useRef } from 'react';
import type { InboxItem } from '../../client/index.js';
import { isTyping } from '../frame/use-keys.js';
import { CommandLine } from '../parts/command-line.js';
import { Words } from '../parts/shown-text.js';
import { type AnswerSpec, commandOf } from './answers.js';
import { NoteField } from './note-field.js';
import { useAnswering } from './use-answering.js';

type Props = {
  item: InboxItem;
  answers: readonly AnswerSpec[];
  /** The key of the answer that is in focus at the beginning. */
  first?: string;
  onFocus(key: string | null): void;
  onAnswered(outcome: string): void;
};

/** The answers, what the one in focus does, and the same as a command. What ends something asks once more. */
export function AnswerBar({ item, answers, first, onFocus, onAnswered }: Props) {
  const answering = useAnswering({ item, answers, first, onFocus, onAnswered });
  const { barred, note, setNote, near, look, sure, unsure, sending, problem, field, send } = answering;
  const offered = answers.filter((answer) => answer.barred === undefined);
  useAnswerKeys({ answers: offered, sure, send: (answer) => void send(answer), unsure });
  const needs = answers.find((answer) => answer.needs !== undefined)?.needs;
  return (
    <div className={needs === 'words' ? 'answer own-words' : 'answer'}>
      <p className="sm say-what" aria-live="polite">
        {problem !== null ? <Problem text={problem} /> : <Consequence answer={sure ?? near} sure={sure !== null} />}
      </p>
      <div className="row wrap">
        {offered.map((answer) => (
          <button
            key={answer.key}
            data-sure={sure?.key === answer.key || undefined}
            type="button"
            className={`btn ${answer.tone === 'first' ? 'a' : ''} ${answer.tone === 'ends' ? 'd' : ''}`}
            disabled={sending || barred !== null}
            onFocus={() => look(answer)}
            onPointerEnter={() => sure === null && look(answer)}
            onClick={() => void send(answer)}
          >
            {sure?.key === answer.key ? `Yes, ${answer.name.toLowerCase()}` : answer.name}
            {(answer.tone === 'ends' && sure?.key !== answer.key) || answer.instead ? '…' : ''}
            <kbd>{sure?.key === answer.key ? '⏎' : answer.key}</kbd>
          </button>
        ))}
        {answers.every(({ isMute }) => isMute) ? null : (
          <NoteField
            field={field}
            note={note}
            setNote={setNote}
            answers={answers}
            onSend={() => {
              const said = offered.find((answer) => answer.needs === 'words');
              if (said) void send(said);
            }}
          />
        )}
      </div>
      {barred !== null && (
        <p className="sm t2 barred">
          <Words text={`${barred}.`} />
        </p>
      )}
      <div className="row foot">
        <CommandLine command={near ? commandOf(item, near, { note }) : ''} />
        <span className="sp" />
        <span className="sm t3 nw hide-s">
          <kbd>J</kbd> <kbd>K</kbd> next, previous
        </span>
      </div>
    </div>
  );
}

function Consequence({ answer, sure }: { answer: AnswerSpec | undefined; sure: boolean }) {
  if (!answer) return null;
  return (
    <>
      <b>{sure ? `${answer.name}? ` : `${answer.name}: `}</b>
      <span className="t2">
        {answer.does}
        {sure ? ' This cannot be undone.' : ''}
      </span>
    </>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <span className="bad">
      <Words text={text} />
    </span>
  );
}

type Keys = {
  answers: readonly AnswerSpec[];
  sure: AnswerSpec | null;
  send(answer: AnswerSpec): void;
  unsure(): void;
};

/** Letters answer only while the list or the answers have the focus, and never in a field. ⏎ is for who is asked twice. */
function useAnswerKeys(keys: Keys): void {
  const kept = useRef(keys);
  kept.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target instanceof Element) || !event.target.closest('.answer, .ilist, .gate')) return;
      const { answers, sure, send, unsure } = kept.current;
      if (event.key === 'Escape') unsure();
      // On the button that asks once more ⏎ presses it; wherever else it is pressed, that one is meant too.
      const isSure = event.key === 'Enter' && sure !== null && !event.target.closest('[data-sure]');
      if (isSure) event.preventDefault();
      const answer = isSure ? sure : answers.find(({ key }) => key.toLowerCase() === event.key);
      if (answer && (isSure || sure?.key !== answer.key)) send(answer);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

import { useEffect, useRef, useState } from 'react';
import { BatonError, type InboxItem } from '../../client/index.js';
import { isTyping } from '../frame/use-keys.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { CommandLine } from '../parts/command-line.js';
import { clockTime } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { type AnswerSpec, commandOf } from './answers.js';

type Props = {
  item: InboxItem;
  answers: readonly AnswerSpec[];
  onFocus(key: string | null): void;
  onAnswered(outcome: string): void;
};

const MAY_ANSWER = new Set(['steward', 'admin']);

/** The answers, what the one in focus does, and the same as a command. What ends something asks once more. */
export function AnswerBar({ item, answers, onFocus, onAnswered }: Props) {
  const { who, allowed, note, setNote, near, look, sure, sending, problem, field, send } = useAnswering({
    ...{ item, answers, onFocus, onAnswered },
  });
  useAnswerKeys(answers, (answer) => void send(answer));
  const needs = answers.find((answer) => answer.needs !== undefined)?.needs;
  return (
    <div className="answer">
      <p className="sm" aria-live="polite">
        {problem !== null ? <Problem text={problem} /> : <Consequence answer={sure ?? near} sure={sure !== null} />}
      </p>
      <div className="row wrap">
        {answers.map((answer) => (
          <button
            key={answer.key}
            type="button"
            className={`btn ${answer.tone === 'first' ? 'a' : ''} ${answer.tone === 'ends' ? 'd' : ''}`}
            disabled={sending || !allowed}
            onFocus={() => look(answer)}
            onPointerEnter={() => look(answer)}
            onClick={() => void send(answer)}
          >
            {sure === answer ? `Yes, ${answer.name.toLowerCase()}` : answer.name}
            {answer.tone === 'ends' && sure !== answer ? '…' : ''}
            <kbd>{sure === answer ? '⏎' : answer.key}</kbd>
          </button>
        ))}
        <input
          ref={field}
          className="in-note"
          value={note}
          inputMode={needs === 'number' ? 'decimal' : 'text'}
          onChange={(event) => setNote(event.target.value)}
          aria-label={needs === 'number' ? 'New total' : 'Note'}
          placeholder={placeholderOf(needs)}
        />
      </div>
      {!allowed && who && <p className="sm t2">You are {who.role}; answers are for stewards and admins.</p>}
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

/** What is being answered: the note, the answer in focus, whether somebody is sure, and what was wrong with it. */
function useAnswering({ item, answers, onFocus, onAnswered }: Props) {
  const { who } = useLive();
  const [note, setNote] = useState('');
  const [near, setNear] = useState<AnswerSpec | undefined>(answers[0]);
  const [sure, setSure] = useState<AnswerSpec | null>(null);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const allowed = who !== null && MAY_ANSWER.has(who.role);
  const look = (answer: AnswerSpec): void => {
    setNear(answer);
    onFocus(answer.key);
  };
  const send = async (answer: AnswerSpec): Promise<void> => {
    look(answer);
    if (sending || !allowed) return;
    if (lacks(answer, note)) {
      setProblem(answer.needs === 'number' ? 'Say the new total as a number.' : 'Say what it should do differently.');
      field.current?.focus();
      return;
    }
    if (answer.tone === 'ends' && sure !== answer) {
      setSure(answer);
      return;
    }
    setSending(true);
    setProblem(null);
    try {
      await client.answer(item.item, answer.body({ note }));
      onAnswered(`${answer.name}: answered by you at ${clockTime(Date.now())}`);
    } catch (failure) {
      setProblem(failure instanceof BatonError ? `${failure.message} (${failure.code})` : String(failure));
      setSending(false);
    }
  };
  return { who, allowed, note, setNote, near, look, sure, sending, problem, field, send };
}

function Consequence({ answer, sure }: { answer: AnswerSpec | undefined; sure: boolean }) {
  if (!answer) return null;
  return (
    <>
      <b>{sure ? `${answer.name}? ` : `${answer.name}: `}</b>
      <span className="t2">{answer.does}</span>
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

function lacks({ needs }: AnswerSpec, note: string): boolean {
  if (needs === 'number') return note.trim() === '' || !(Number(note) > 0);
  return needs === 'guidance' && note.trim() === '';
}

function placeholderOf(needs: AnswerSpec['needs']): string {
  if (needs === 'number') return 'New total';
  return needs === 'guidance' ? 'What it should do differently' : 'Note (optional)';
}

/** Letters answer only while the list or the answers have the focus, and never in a field. */
function useAnswerKeys(answers: readonly AnswerSpec[], send: (answer: AnswerSpec) => void): void {
  const kept = useRef({ answers, send });
  kept.current = { answers, send };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target instanceof Element) || !event.target.closest('.answer, .ilist')) return;
      const answer = kept.current.answers.find(({ key }) => key.toLowerCase() === event.key);
      if (answer) kept.current.send(answer);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

import { useRef, useState } from 'react';
import { BatonError, type InboxItem } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { clockTime } from '../parts/figures.js';
import type { AnswerSpec } from './answers.js';
import { draftOf, keepDraft } from './drafts.js';

type Answering = {
  item: InboxItem;
  answers: readonly AnswerSpec[];
  first: string | undefined;
  onFocus(key: string | null): void;
  onAnswered(outcome: string): void;
};

/** What is being answered: the note, the answer in focus, whether somebody is sure, and what was wrong with it. */
export function useAnswering({ item, answers, first, onFocus, onAnswered }: Answering) {
  const { who } = useLive();
  const [note, setNoteState] = useState(() => draftOf(item.item));
  // By their keys: the answers are made anew whenever something is drawn.
  const [nearKey, setNear] = useState(first ?? answers[0]?.key);
  const [sureKey, setSure] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const barred = who === null ? null : (item.barred ?? roleProblem(who));
  const setNote = (text: string): void => {
    setNoteState(text);
    keepDraft(item.item, text);
  };
  const look = (answer: AnswerSpec): void => {
    setNear(answer.key);
    if (sureKey !== answer.key) setSure(null);
    onFocus(answer.key);
  };
  const send = async (answer: AnswerSpec): Promise<void> => {
    look(answer);
    if (sending || who === null || barred !== null || answer.barred !== undefined) return;
    if (answer.instead && 'goTo' in answer.instead) return goTo(answer.instead.goTo);
    if (lacks(answer, note)) {
      setProblem(LACKS[answer.needs ?? 'guidance']);
      field.current?.focus();
      return;
    }
    if (answer.tone === 'ends' && sureKey !== answer.key) return setSure(answer.key);
    setSending(true);
    setProblem(null);
    try {
      if (answer.instead) await client.jobs.act(item.run_id, answer.instead.act);
      else await client.answer(item.item, answer.body({ note }));
      keepDraft(item.item, '');
      onAnswered(`${answer.past} by you, ${clockTime(Date.now()).slice(0, 5)}`);
    } catch (failure) {
      setProblem(failure instanceof BatonError ? `${failure.message} (${failure.code})` : String(failure));
      setSending(false);
    }
  };
  const keyed = (wanted: string | null | undefined) => answers.find(({ key }) => key === wanted);
  const [near, sure] = [keyed(nearKey), keyed(sureKey) ?? null];
  const unsure = (): void => setSure(null);
  return { barred, note, setNote, near, look, sure, unsure, sending, problem, field, send };
}

function roleProblem({ role, may }: { role: string; may: readonly string[] }): string | null {
  return may.includes('inbox.answer') ? null : `You are ${role}; answers are for stewards and admins`;
}

const LACKS: Readonly<Record<NonNullable<AnswerSpec['needs']>, string>> = {
  number: 'Say the new total as a number.',
  guidance: 'Say what it should do differently.',
  words: 'Say it in your own words.',
};

function lacks({ needs }: AnswerSpec, note: string): boolean {
  if (needs === 'number') return note.trim() === '' || !(Number(note) > 0);
  return needs !== undefined && note.trim() === '';
}

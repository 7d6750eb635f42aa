import type { KeyboardEvent, RefObject } from 'react';
import type { AnswerSpec } from './answers.js';

type Props = {
  field: RefObject<(HTMLInputElement & HTMLTextAreaElement) | null>;
  note: string;
  setNote(note: string): void;
  answers: readonly AnswerSpec[];
  onSend(): void;
};

/** What is said beside an answer, or is the answer. ⏎ sends it; of several lines Ctrl ⏎ does. */
export function NoteField({ field, note, setNote, answers, onSend }: Props) {
  const needs = answers.find((answer) => answer.needs !== undefined)?.needs;
  const hint = answers.find((answer) => answer.hint !== undefined)?.hint;
  const isLong = answers.some((answer) => answer.isLong);
  const press = (event: KeyboardEvent): void => {
    const isSent = event.key === 'Enter' && (!isLong || event.ctrlKey || event.metaKey);
    if (isSent && !event.nativeEvent.isComposing) onSend();
  };
  const same = {
    ...{ ref: field, className: 'in-note', value: note, onKeyDown: press },
    onChange: (event: { target: { value: string } }) => setNote(event.target.value),
    'aria-label': hint ?? (needs === 'number' ? 'New total' : 'Note'),
  };
  if (isLong) return <textarea {...same} rows={4} placeholder={hint} />;
  return (
    <input {...same} inputMode={needs === 'number' ? 'decimal' : 'text'} placeholder={hint ?? placeholderOf(needs)} />
  );
}

function placeholderOf(needs: AnswerSpec['needs']): string {
  if (needs === 'number') return 'New total';
  return needs === 'guidance' ? 'What it should do differently' : 'Note (optional)';
}

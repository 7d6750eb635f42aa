import { useState } from 'react';
import type { InboxItem } from '../../../client/index.js';
import { Dialog } from '../../frame/dialog.js';
import { Link } from '../../frame/link.js';
import { AnswerBar } from '../../inbox/answer-bar.js';
import { answersTo } from '../../inbox/answers.js';
import { Consequences } from '../../inbox/consequences.js';
import { questionOf } from '../../inbox/item-words.js';

type Props = { item: InboxItem; first: string; onClose(): void; onDone(said: string): void };

/** The answers of the inbox, without leaving the page that shows the work. */
export function AnswerDialog({ item, first, onClose, onDone }: Props) {
  const [focused, setFocused] = useState<string | null>(first);
  const answers = answersTo(item);
  return (
    <Dialog title={questionOf(item)} onClose={onClose}>
      <div className="in stack">
        <Consequences answers={answers} focused={focused} />
        <Link to={`/inbox/${item.item}`} className="l sm">
          Open it in the inbox
        </Link>
      </div>
      <AnswerBar
        {...{ item, answers, first }}
        onFocus={setFocused}
        onAnswered={(outcome) => {
          onClose();
          onDone(outcome);
        }}
      />
    </Dialog>
  );
}

import { useState } from 'react';
import type { InboxItem } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { useLive } from '../live/live-context.js';
import { age } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { AnswerBar } from './answer-bar.js';
import { answersTo } from './answers.js';
import { Consequences } from './consequences.js';
import { draftOf, keepDraft } from './drafts.js';
import { ItemThing } from './item-thing.js';
import { kindWord, questionOf, whyOf } from './item-words.js';
import { OutcomeWords } from './outcome-words.js';
import type { Outcome, Row } from './use-rows.js';

type Props = { row: Row; onAnswered(outcome: string): void };

/** Always in the same order: what, why it is asked, the very thing, what each answer does, the answers. */
export function ItemView({ row: { item, outcome }, onAnswered }: Props) {
  const { system } = useLive();
  const [focused, setFocused] = useState<string | null>(null);
  const answers = answersTo(item, { holds: system?.sandbox.holds ?? false });
  return (
    <article className="ask on" aria-label={kindWord(item)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section className="body" tabIndex={0} aria-label="What is asked">
        <div className="only-s">
          <Link to="/inbox" className="sm t2">
            ‹ Inbox
          </Link>
        </div>
        <Origin item={item} />
        <h2 className="question">
          <Words text={questionOf(item)} />
        </h2>
        <p className="t2">
          <Words text={whyOf(item)} />
        </p>
        <ItemThing item={item} />
        <section className="sec" aria-label="What each answer does">
          <h3>What each answer does</h3>
          <Consequences answers={answers} focused={focused} />
        </section>
      </section>
      {outcome === null ? (
        <AnswerBar item={item} answers={answers} onFocus={setFocused} onAnswered={onAnswered} />
      ) : (
        <Over item={item} outcome={outcome} />
      )}
    </article>
  );
}

function Origin({ item }: { item: InboxItem }) {
  const { nowMs } = useLive();
  return (
    <div className="row wrap sm">
      <span className="st you">
        <Glyph glyph="diamond" tone="you" />
        {kindWord(item)}
      </span>
      <span className="t3">item {item.item}</span>
      <span className="t3">
        asked <Ago at={item.created_at} /> ago
      </span>
      {item.expires_at !== null && <span className="t2">expires in {age(Date.parse(item.expires_at) - nowMs)}</span>}
    </div>
  );
}

/** What somebody had begun to write is not thrown away because another was faster. */
function Over({ item, outcome }: { item: InboxItem; outcome: Outcome }) {
  const [draft, setDraft] = useState(() => draftOf(item.item));
  return (
    <div className="answer" role="status">
      <p>
        <b>
          <OutcomeWords outcome={outcome} />
        </b>
      </p>
      {draft !== '' && (
        <label className="row">
          <span className="sm t2 nw">Your note, not sent</span>
          <input
            className="in-note"
            value={draft}
            onChange={(event) => {
              setDraft(event.target.value);
              keepDraft(item.item, event.target.value);
            }}
          />
        </label>
      )}
      <p className="sm t3 hide-s">
        <kbd>J</kbd> goes on to the next.
      </p>
    </div>
  );
}

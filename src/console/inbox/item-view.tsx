import { useState } from 'react';
import { Link } from '../frame/link.js';
import { useLive } from '../live/live-context.js';
import { age } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { AnswerBar } from './answer-bar.js';
import { answersTo } from './answers.js';
import type { Row } from './inbox-page.js';
import { ItemThing } from './item-thing.js';
import { kindWord, questionOf, whyOf } from './item-words.js';

type Props = { row: Row; onAnswered(outcome: string): void };

/** Always in the same order: what, why it is asked, the very thing, what each answer does, the answers. */
export function ItemView({ row: { item, outcome }, onAnswered }: Props) {
  const { nowMs } = useLive();
  const [focused, setFocused] = useState<string | null>(null);
  const answers = answersTo(item);
  return (
    <article className="ask on" aria-label={kindWord(item)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section className="body" tabIndex={0} aria-label="What is asked">
        <div className="only-s">
          <Link to="/inbox" className="sm t2">
            ‹ Inbox
          </Link>
        </div>
        <div className="row wrap sm">
          <span className="st you">
            <Glyph glyph="diamond" tone="you" />
            {kindWord(item)}
          </span>
          <span className="t3">item {item.item}</span>
          <span className="t3">
            asked <Ago at={item.created_at} /> ago
          </span>
          {item.expires_at !== null && (
            <span className="t2">expires in {age(Date.parse(item.expires_at) - nowMs)}</span>
          )}
        </div>
        <h2 className="question">
          <Words text={questionOf(item)} />
        </h2>
        <p className="t2">
          <Words text={whyOf(item)} />
        </p>
        <ItemThing item={item} />
        <section className="sec" aria-label="What each answer does">
          <h3>What each answer does</h3>
          <div className="cons">
            {answers.map(({ key, name, does }) => (
              <div key={key} className={focused === key ? 'on' : ''}>
                <kbd>{key}</kbd>
                <span className="b">{name}</span>
                <span className="t2">{does}</span>
              </div>
            ))}
          </div>
        </section>
      </section>
      {outcome === null ? (
        <AnswerBar item={item} answers={answers} onFocus={setFocused} onAnswered={onAnswered} />
      ) : (
        <div className="answer" role="status">
          <b>{outcome}.</b> <span className="t2">It cannot be undone.</span>
        </div>
      )}
    </article>
  );
}

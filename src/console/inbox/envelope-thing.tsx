import type { InboxItem } from '../../client/index.js';
import { StepList } from '../envelope/step-list.js';
import { Link } from '../frame/link.js';
import { useLive } from '../live/live-context.js';
import { age, shortHash } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { QUESTION_SHOWN_MAX } from './item-words.js';

const BOUND = 'The exact steps, in this order; the answer is bound to them';

/** What an envelope asks about: the steps exactly as they would run, and the request it began with. */
export function EnvelopeThing({ item }: { item: InboxItem }) {
  const { nowMs } = useLive();
  const { request, steps, confirmation_id: id, hash, pipeline, stage, user_id: user } = item.details;
  const facts = {
    pipeline,
    stage,
    user,
    confirmation: id,
    sha256: typeof hash === 'string' ? shortHash(hash) : undefined,
  };
  return (
    <>
      {item.question.length > QUESTION_SHOWN_MAX && (
        <section className="sec" aria-label="The whole question">
          <h3>The whole question</h3>
          <Lines text={item.question} className="quote pre-line" />
        </section>
      )}
      {Array.isArray(steps) && steps.length > 0 && (
        <section className="sec" aria-label="The exact steps">
          <h3>{typeof hash === 'string' ? BOUND : 'The steps of the plan, in this order'}</h3>
          <div className="card">
            <StepList steps={steps} />
          </div>
        </section>
      )}
      {typeof request === 'string' && (
        <section className="sec" aria-label="The request, as it was sent">
          <h3>The request, as it was sent</h3>
          <Lines text={request} className="quote pre-line" />
        </section>
      )}
      <div className="row wrap sm t2 facts-line">
        {Object.entries(facts).map(
          ([name, value]) =>
            typeof value === 'string' && (
              <span key={name}>
                {name} <Words text={value} className="m" />
              </span>
            ),
        )}
        {item.expires_at !== null && <span>expires in {age(Date.parse(item.expires_at) - nowMs)}</span>}
        <Link to={`/envelopes/${encodeURIComponent(item.run_id)}`} className="l">
          Open the envelope
        </Link>
      </div>
    </>
  );
}

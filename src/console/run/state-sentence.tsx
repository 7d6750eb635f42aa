import type { Job } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { answersTo } from '../inbox/answers.js';
import { questionOf, whyOf } from '../inbox/item-words.js';
import { useLive } from '../live/live-context.js';
import { span } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import type { JobView } from './fold-job.js';

/** One sentence before every figure: what state, why, what comes next. */
export function StateSentence({ job, view }: { job: Job; view: JobView }) {
  const { items, nowMs } = useLive();
  const item = items?.find(({ item }) => item === job.waiting_for);
  if (item) {
    const [first, ...others] = answersTo(item);
    return (
      <div className="callout">
        <Glyph glyph="diamond" tone="you" size={18} />
        <div className="say sp">
          <b>
            Waiting for you: <Words text={questionOf(item)} />
          </b>{' '}
          <span className="t2">
            <Words text={whyOf(item)} /> Nothing is spent meanwhile.
          </span>
        </div>
        <Link to={`/inbox/${item.item}`} className="btn a">
          {first?.name ?? 'Answer'}…
        </Link>
        {others.length > 0 && (
          <Link to={`/inbox/${item.item}`} className="btn">
            {others.map(({ name }) => name).join(' or ')}…
          </Link>
        )}
      </div>
    );
  }
  const { tone, glyph, word } = lookOf(job.status);
  return (
    <p className="say row">
      <Glyph glyph={glyph} tone={tone} size={18} />
      <span>
        <b className={tone}>{word}.</b> <span className="t2">{moreOf(job, view, nowMs)}</span>
      </span>
    </p>
  );
}

function moreOf(job: Job, view: JobView, nowMs: number): string {
  const last = view.handoffs.at(-1);
  const passed = view.checks.filter(({ exitCode }) => exitCode === 0).length;
  switch (job.status) {
    case 'DRAFT':
      return 'It waits until somebody activates it.';
    case 'PENDING':
      return 'It waits for a worker that is free.';
    case 'RUNNING':
    case 'REVIEWING':
      if (!last || last.endedAtMs !== null) return 'The next handoff is about to begin.';
      return `${last.agent} works on ${last.phase} since ${span(nowMs - last.askedAtMs)}.`;
    case 'SUCCESS':
      return `${view.checks.length > 0 ? `${passed} of ${view.checks.length} checks passed. ` : ''}It can be landed.`;
    case 'CANCELED':
      return 'Its branch and its log are kept.';
    default:
      return `${job.reason ?? 'A limit was reached'}. Raise it to go on.`;
  }
}

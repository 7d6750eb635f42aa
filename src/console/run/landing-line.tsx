import type { JobView } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { useLive } from '../live/live-context.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';

type Landing = NonNullable<JobView['landing']>;

function wordsOf({ status, outcome }: Landing): string {
  if (status === 'landing') return 'Landing: it is merged and checked beside your checkout.';
  if (status === 'sent-back') return 'Not landed: it was sent back to the agent.';
  switch (outcome?.type) {
    case 'landed': {
      const files = outcome.files === 1 ? '1 file' : `${outcome.files} files`;
      return `Landed on ${outcome.ref.replace('refs/heads/', '')} as ${outcome.to.slice(0, 7)}, ${files}.`;
    }
    case 'conflict':
      return `Not landed: it conflicts in ${outcome.files.join(', ')}.`;
    case 'checks-failed':
      return 'Not landed: checks fail on the merged tree.';
    case 'refused':
      return `Not landed: ${outcome.reason}`;
    default:
      return 'Not landed.';
  }
}

const LOOKS = {
  landed: { glyph: 'tick', tone: 'ok' },
  landing: { glyph: 'arc', tone: 'run' },
  conflict: { glyph: 'diamond', tone: 'you' },
  unproven: { glyph: 'diamond', tone: 'you' },
  refused: { glyph: 'octagon', tone: 'bad' },
} as const;

/** How bringing it home went. There is nothing to tell before somebody has begun it. */
export function LandingLine({ landing }: { landing: JobView['landing'] }) {
  const { items } = useLive();
  if (landing === null) return null;
  const item = items?.find(({ run_id }) => run_id === landing.run_id);
  const { glyph, tone } = LOOKS[landing.status as keyof typeof LOOKS] ?? { glyph: 'slash', tone: 'rest' };
  return (
    <p className="row landing" role="status">
      <Glyph glyph={glyph} tone={tone} />
      <Words text={wordsOf(landing)} />
      {item && (
        <Link to={`/inbox/${item.item}`} className="btn a s">
          Answer…
        </Link>
      )}
      <Link to={`/runs/${encodeURIComponent(landing.run_id)}`} className="l sm t2">
        {landing.run_id}
      </Link>
    </p>
  );
}

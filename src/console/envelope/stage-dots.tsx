import type { EnvelopeCard } from '../../client/index.js';
import { Words } from '../parts/shown-text.js';

const DOT = 9;
const DOTS_MAX = 10;

/** The pipeline in small: one dot for each stage, the lit one filled, and its name. */
export function StageDots({ card: { stages, lit, left }, asks }: { card: EnvelopeCard; asks: boolean }) {
  const shown = stages.slice(0, DOTS_MAX);
  const tone = asks ? 'var(--you)' : 'var(--run)';
  return (
    <span className="row stage-dots">
      <svg width={shown.length * DOT} height="10" aria-hidden="true">
        {shown.map((stage, index) => {
          const isLit = lit.includes(stage);
          return (
            <circle
              key={stage}
              cx={index * DOT + 4.5}
              cy="5"
              r={isLit ? 4 : 2.2}
              fill={isLit ? tone : 'var(--control)'}
            />
          );
        })}
      </svg>
      <Words text={wordsOf(lit, left)} className={lit.length > 0 ? 'el' : 'el t3'} />
    </span>
  );
}

function wordsOf(lit: readonly string[], left: readonly string[]): string {
  if (lit.length > 0) return lit.join(', ');
  return left.length > 0 ? `before ${left.join(', ')}` : 'at its end';
}

import type { Envelope } from '../../client/index.js';
import { Card } from '../parts/card.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { type Goal, goalsOf, goalWords } from './envelope-words.js';

const LOOKS = {
  pending: { glyph: 'ring', tone: 'rest', word: 'pending' },
  satisfied: { glyph: 'tick', tone: 'ok', word: 'satisfied' },
  failed: { glyph: 'octagon', tone: 'bad', word: 'failed' },
} as const satisfies Record<Goal['status'], object>;

/** What has to be true for the request to be answered, and how far that is. */
export function GoalCard({ envelope }: { envelope: Envelope }) {
  const goals = goalsOf(envelope);
  return (
    <Card title="Goals" beside={goals.length > 0 && <span className="t2">{goalWords(goals)}</span>}>
      {goals.length === 0 ? (
        <p className="in t2">No goals were set yet. The stage intent sets them.</p>
      ) : (
        <table className="goal-table">
          <thead className="vh">
            <tr>
              <th scope="col">Goal</th>
              <th scope="col">Reached in</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {goals.map(({ goal, status, stage }) => {
              const { glyph, tone, word } = LOOKS[status];
              return (
                <tr key={goal}>
                  <td>
                    <span className="row at-top">
                      <Glyph glyph={glyph} tone={tone} />
                      <Words text={goal} className="goal" />
                    </span>
                  </td>
                  <td className="t3 nw">{stage === null ? '' : `stage ${stage}`}</td>
                  <td className={`nw ${tone}`}>{word}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Card>
  );
}

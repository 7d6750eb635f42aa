import type { EnvelopeBoard } from '../../client/index.js';
import { dollars, grouped, tokens } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Glyph } from '../parts/status.js';
import { goalsOf, isNear, leftOf } from './envelope-words.js';

/** Six figures, those that are bounded with what is left of them. */
export function EnvelopeFacts({ board }: { board: EnvelopeBoard }) {
  const { bounds, envelope, cost_usd } = board;
  const bound = (name: (typeof bounds)[number]['name']) => bounds.find((one) => one.name === name) ?? NONE;
  const { current_stage_number = 1, max_stages = 1 } = envelope;
  const goals = goalsOf(envelope);
  const satisfied = goals.filter(({ status }) => status === 'satisfied').length;
  return (
    <section className="facts" aria-label="Figures">
      <Bounded {...bound('llm_calls')} name="LLM calls" />
      <Bounded {...bound('agent_hops')} name="Hops" />
      <Bounded {...bound('iterations')} name="Iteration" />
      <Bounded name="Stage" used={current_stage_number} max={max_stages} isSoft />
      <div>
        <div className="lab">Goals</div>
        <div className="v">
          {grouped(satisfied)}{' '}
          <small>{goals.length === 0 ? 'none set' : `of ${grouped(goals.length)} satisfied`}</small>
        </div>
        {goals.length > 0 && (
          <div className="meter" aria-hidden="true">
            <i style={{ width: `${(satisfied / goals.length) * 100}%`, background: 'var(--ok)' }} />
          </div>
        )}
        <div className="left t3">{goals.length === 0 ? '' : leftGoals(goals.length - satisfied)}</div>
      </div>
      <div>
        <div className="lab">Cost</div>
        <div className="v">{dollars(cost_usd)}</div>
        <div className="left t3">{tokens(board.tokens)} tokens</div>
      </div>
    </section>
  );
}

const NONE = { used: 0, max: 0 };

/** `isSoft`: to reach its end is no halt, so it is not told in violet. */
function Bounded({ name, used, max, isSoft = false }: { name: string; used: number; max: number; isSoft?: boolean }) {
  const near = !isSoft && isNear({ used, max });
  const left = leftOf({ used, max });
  return (
    <div>
      <div className="lab">{name}</div>
      <div className={`v ${near ? 'limit' : ''}`}>
        {near && <Glyph glyph="hexagon" tone="limit" />} {grouped(used)} <small>of {grouped(max)}</small>
      </div>
      {isSoft ? <Plain share={used / Math.max(1, max)} /> : <Meter used={used} limit={Math.max(1, max)} />}
      <div className={`left ${near ? 'limit' : 't3'}`}>{left === 0 ? 'none left' : `${grouped(left)} left`}</div>
    </div>
  );
}

function Plain({ share }: { share: number }) {
  return (
    <div className="meter" aria-hidden="true">
      <i style={{ width: `${Math.min(1, share) * 100}%`, background: 'var(--d3)' }} />
    </div>
  );
}

function leftGoals(left: number): string {
  if (left === 0) return 'none is left';
  return left === 1 ? '1 is left' : `${grouped(left)} are left`;
}

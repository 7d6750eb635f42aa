import type { ReactNode } from 'react';
import type { BridgeBoard } from '../../client/index.js';
import { dollars, grouped, tokens } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { HOLDER_LOOKS, holderWord, isNearEnd, pendingOf, spaced } from './bridge-words.js';

/** Six figures: who has the baton, how far it is, and what is left before it counts as stuck. */
export function BridgeFacts({ board }: { board: BridgeBoard }) {
  const { phases, crossings, rounds, idle_rounds: idle, cost_usd } = board;
  const answered = crossings.filter(({ status }) => status === 'success').length;
  const failed = crossings.filter(({ status }) => status !== null && status !== 'success').length;
  const done = phases.filter(({ standing }) => standing === 'done').length;
  const near = isNearEnd(idle);
  return (
    <section className="facts" aria-label="Figures">
      <Figure name="Baton" value={<Holder board={board} />} below={<Words text={holderNote(board)} />} />
      <Figure
        name="Phases"
        value={
          <>
            {done} <small>of {phases.length} done</small>
          </>
        }
        meter={<Plain share={done / Math.max(1, phases.length)} />}
        below={<Words text={phaseNote(board)} />}
      />
      <Figure name="Rounds" value={grouped(rounds.length)} below={exitNote(board)} />
      <Figure
        name="No progress"
        tone={near ? 'limit' : ''}
        value={
          <>
            {near && <Glyph glyph="hexagon" tone="limit" />} {idle.used} <small>of {idle.max} rounds</small>
          </>
        }
        meter={<Meter used={idle.used} limit={idle.max} />}
        below={idle.used >= idle.max ? 'none left' : `${idle.max - idle.used} left`}
      />
      <Figure
        name="Requests"
        value={
          <>
            {answered} <small>of {grouped(crossings.length)} answered</small>
          </>
        }
        below={failed === 0 ? '' : `${grouped(failed)} without an answer that can be used`}
      />
      <Figure name="Cost" value={dollars(cost_usd)} below={`${tokens(board.tokens)} tokens`} />
    </section>
  );
}

type FigureProps = { name: string; value: ReactNode; below: ReactNode; meter?: ReactNode; tone?: string };

function Figure({ name, value, below, meter, tone = '' }: FigureProps) {
  return (
    <div>
      <div className="lab">{name}</div>
      <div className={`v ${tone}`}>{value}</div>
      {meter}
      <div className={`left ${tone === '' ? 't3' : tone}`}>{below}</div>
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

function Holder({ board: { holder } }: { board: BridgeBoard }) {
  const look = holder && HOLDER_LOOKS[holder];
  return (
    <span className={`holder ${look?.tone ?? ''}`}>
      {look && <Glyph glyph={look.glyph} tone={look.tone} size={16} />} {holderWord(holder)}
    </span>
  );
}

function holderNote(board: BridgeBoard): string {
  const asked = pendingOf(board);
  if (board.holder === 'agent' || board.holder === 'you') return asked ? (asked.agent ?? asked.agent_name) : '';
  return board.holder === 'orchestrator' ? `round ${board.rounds.at(-1)?.round ?? 1}` : 'it rests';
}

function phaseNote({ phases }: BridgeBoard): string {
  const now = phases.find(({ standing }) => standing === 'now');
  return now ? `now ${now.phase}${now.phase_name === null ? '' : `, ${spaced(now.phase_name)}`}` : '';
}

function exitNote({ rounds }: BridgeBoard): string {
  const exit = rounds.findLast((round) => round.exit !== null)?.exit;
  if (!exit) return '';
  return exit.signal === null ? `last exit ${exit.code}` : `last ended by ${exit.signal}`;
}

import type { BridgeCard, Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { Changed } from '../parts/changed.js';
import { grouped } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, StatusMark } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { type CardRowProps, CardTable } from '../runs/card-table.js';
import { type Column, NameCell } from '../runs/row-parts.js';
import { cardWords, HOLDER_LOOKS, holderWord, isNearEnd, spaced } from './bridge-words.js';

const COLUMNS: readonly Column[] = [
  { name: 'Baton', className: 'c-state' },
  { name: 'Orchestrator', className: '' },
  { name: 'Phase', className: 'c-phase hide-s' },
  { name: 'Agent', className: 'c-asked hide-s' },
  { name: 'Rounds', className: 'c-rounds r hide-s' },
  { name: 'No progress', className: 'c-idle r hide-s' },
  { name: 'Age', className: 'c-num r' },
];

export function BridgeTable({ runs }: { runs: readonly Run[] }) {
  const { cards: load } = client.bridges;
  return <CardTable kind="bridge" base="/bridges" columns={COLUMNS} runs={runs} load={load} Row={Row} />;
}

function Row({ base, run, card, item, index, isSelected }: CardRowProps<BridgeCard>) {
  return (
    <tr className={isSelected ? 'sel' : ''} aria-rowindex={index + 2}>
      <td>
        <Changed value={`${run.status} ${card?.holder}`}>
          <Holder run={run} card={card} />
        </Changed>
      </td>
      <NameCell
        {...{ base, run, item, question: item?.question, beside: card?.dir ?? run.run_id }}
        small={<Words text={card ? cardWords(card) || card.dir : ''} className="t2" />}
      />
      <td className="el hide-s">{card && <Phase card={card} />}</td>
      <td className="el t2 hide-s">{card?.agent_name && <Words text={card.agent_name} />}</td>
      <td className="num hide-s">{card && <Changed value={card.rounds}>{grouped(card.rounds)}</Changed>}</td>
      <td className="num hide-s">{card && <Idle card={card} />}</td>
      <td className="num t3">
        <Ago at={run.created_at} />
      </td>
    </tr>
  );
}

/** Who has the baton; when nobody has it, why. */
function Holder({ run, card }: { run: Run; card: BridgeCard | undefined }) {
  const holder = run.waiting_for === null ? card?.holder : 'you';
  if (!holder) return <StatusMark status={run.status} />;
  const { glyph, tone } = HOLDER_LOOKS[holder];
  return (
    <span className={`st ${tone}`}>
      <Glyph glyph={glyph} tone={tone} />
      {holderWord(holder)}
    </span>
  );
}

function Phase({ card: { phase, phase_name } }: { card: BridgeCard }) {
  if (phase === null) return null;
  return (
    <>
      <span className="num-l">{phase}</span> <span className="t3">of 9</span>{' '}
      <Words text={spaced(phase_name ?? '')} className="t2" />
    </>
  );
}

function Idle({ card: { idle_rounds } }: { card: BridgeCard }) {
  const isNear = isNearEnd(idle_rounds);
  return (
    <span className={isNear ? 'st limit' : 't2'}>
      {isNear && <Glyph glyph="hexagon" tone="limit" />}
      {idle_rounds.used} of {idle_rounds.max}
    </span>
  );
}

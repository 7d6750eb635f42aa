import type { EnvelopeCard, Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { Changed } from '../parts/changed.js';
import { dollars } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { type CardRowProps, CardTable } from '../runs/card-table.js';
import { type Column, NameCell, RunState } from '../runs/row-parts.js';
import { isNear, leftWords, nearestBound } from './envelope-words.js';
import { StageDots } from './stage-dots.js';

const COLUMNS: readonly Column[] = [
  { name: 'State', className: 'c-state' },
  { name: 'Question', className: '' },
  { name: 'Stage', className: 'c-stage hide-s' },
  { name: 'Goals', className: 'c-goals r hide-s' },
  { name: 'Nearest bound', className: 'c-bound hide-s' },
  { name: 'Cost', className: 'c-cost r hide-s' },
  { name: 'Age', className: 'c-num r' },
];

export function EnvelopeTable({ runs }: { runs: readonly Run[] }) {
  const { cards: load } = client.envelopes;
  return <CardTable kind="envelope" base="/envelopes" columns={COLUMNS} runs={runs} load={load} Row={Row} />;
}

function Row({ base, run, card, item, index, isSelected }: CardRowProps<EnvelopeCard>) {
  return (
    <tr className={isSelected ? 'sel' : ''} aria-rowindex={index + 2}>
      <td>
        <Changed value={run.status}>
          <RunState run={run} item={item} />
        </Changed>
      </td>
      <NameCell {...{ base, run, item, beside: run.run_id }} small={<Words text={smallWords(card)} className="t2" />} />
      <td className="hide-s">{card && <StageDots card={card} asks={run.waiting_for !== null} />}</td>
      <td className="num t2 hide-s">{card && card.goals.of > 0 && `${card.goals.satisfied} of ${card.goals.of}`}</td>
      <td className="el hide-s">{card && <Nearest card={card} />}</td>
      <td className="num hide-s">
        <Changed value={run.metrics.cost_usd}>{dollars(run.metrics.cost_usd)}</Changed>
      </td>
      <td className="num t3">
        <Ago at={run.created_at} />
      </td>
    </tr>
  );
}

function Nearest({ card: { bounds } }: { card: EnvelopeCard }) {
  const bound = nearestBound(bounds);
  if (!bound) return null;
  const near = isNear(bound);
  return (
    <span className={near ? 'st limit' : 't2'}>
      {near && <Glyph glyph="hexagon" tone="limit" />}
      {leftWords(bound)}
    </span>
  );
}

function smallWords(card: EnvelopeCard | undefined): string {
  if (!card) return '';
  const bound = nearestBound(card.bounds);
  return [card.lit.join(', '), bound && leftWords(bound)].filter(Boolean).join(', ');
}

import type { Run, SessionCard, SessionStop } from '../../client/index.js';
import { client } from '../live/client.js';
import { Changed } from '../parts/changed.js';
import { dollars, grouped, tokens } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, StatusMark } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { type CardRowProps, CardTable } from '../runs/card-table.js';
import { type Column, NameCell } from '../runs/row-parts.js';
import { stopLook } from './session-words.js';

const COLUMNS: readonly Column[] = [
  { name: 'State', className: 'c-state' },
  { name: 'Session', className: '' },
  { name: 'Folder', className: 'c-folder hide-s' },
  { name: 'Model', className: 'c-asked hide-s' },
  { name: 'Turns', className: 'c-num r hide-s' },
  { name: 'Tokens', className: 'c-num r hide-s' },
  { name: 'Cost', className: 'c-num r hide-s' },
  { name: 'Changed', className: 'c-num r' },
];

export function SessionTable({ runs }: { runs: readonly Run[] }) {
  const { cards: load } = client.sessions;
  return <CardTable kind="session" base="/sessions" columns={COLUMNS} runs={runs} load={load} Row={Row} />;
}

function Row({ base, run, card, item, index, isSelected }: CardRowProps<SessionCard>) {
  const stopped = run.status === 'idle' ? card?.stopped : null;
  return (
    <tr className={isSelected ? 'sel' : ''} aria-rowindex={index + 2}>
      <td>
        <Changed value={`${run.status} ${stopped?.code}`}>
          {stopped ? (
            <Stopped stopped={stopped} />
          ) : (
            <StatusMark status={run.status} waits={run.waiting_for !== null} />
          )}
        </Changed>
      </td>
      <NameCell
        {...{ base, run, item, question: item?.question, beside: run.run_id }}
        small={<Words text={card?.cwd ?? ''} className="m t2" />}
      />
      <td className="el hide-s">{card && <Words text={card.cwd} className="m t2" />}</td>
      <td className="el t2 hide-s">{card && <Words text={card.model} />}</td>
      <td className="num hide-s">
        {card && <Changed value={card.metrics.turns}>{grouped(card.metrics.turns)}</Changed>}
      </td>
      <td className="num hide-s">{tokens(run.metrics.tokens)}</td>
      <td className="num hide-s">{dollars(run.metrics.cost_usd)}</td>
      <td className="num t3">
        <Ago at={run.updated_at} />
      </td>
    </tr>
  );
}

function Stopped({ stopped }: { stopped: SessionStop }) {
  const { glyph, tone, word } = stopLook(stopped);
  return (
    <span className={`st ${tone}`}>
      <Glyph glyph={glyph} tone={tone} />
      {word}
    </span>
  );
}

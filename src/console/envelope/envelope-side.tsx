import type { ReactNode } from 'react';
import type { EnvelopeBoard } from '../../client/index.js';
import { Card } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { CopyButton } from '../parts/copy-button.js';
import { clockTime, grouped, shortHash } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { LastEvents } from '../run/last-events.js';
import { showEvent } from '../run/time/use-at.js';
import { boundName, isNear, leftOf } from './envelope-words.js';

const VERSIONS_SHOWN = 30;
/** What scrolls can be reached by keys. */
const TABBED = 0;

type Props = { board: EnvelopeBoard; isLive: boolean };

/** What it may still use, what was asked for, every version of it, what happened last, and how it is handed on. */
export function EnvelopeSide({ board, isLive }: Props) {
  return (
    <div className="stack">
      <Bounds board={board} />
      <Card title="Request" beside={<span className="sm t3">as it was sent</span>}>
        <div className="in">
          <Lines text={board.envelope.raw_input} className="quote pre-line" />
        </div>
      </Card>
      <Versions board={board} />
      <LastEvents run={board.run_id} event={board.event} />
      <HandItOn board={board} isLive={isLive} />
    </div>
  );
}

function Bounds({ board: { bounds, envelope } }: { board: EnvelopeBoard }) {
  const { current_stage_number = 1, max_stages = 1 } = envelope;
  return (
    <Card title="Bounds" beside={<span className="sm t3">mark at 80 %</span>}>
      <ul className="in stack bounds">
        {bounds.map((bound) => (
          <Bound key={bound.name} name={boundName(bound)} used={bound.used} max={bound.max} />
        ))}
        <li>
          <BoundHead name="Stages" used={current_stage_number} max={max_stages} tone="" />
          <div className="sm t3">{leftWord(max_stages - current_stage_number)}; behind the last it goes to its end</div>
        </li>
      </ul>
    </Card>
  );
}

function Bound({ name, used, max }: { name: string; used: number; max: number }) {
  const near = isNear({ used, max });
  return (
    <li>
      <BoundHead name={name} used={used} max={max} tone={near ? 'limit' : ''} />
      <Meter used={used} limit={Math.max(1, max)} />
      <div className={`sm row g4 ${near ? 'limit' : 't3'}`}>
        {near && <Glyph glyph="hexagon" tone="limit" size={12} />}
        {leftWord(leftOf({ used, max }))}
      </div>
    </li>
  );
}

function BoundHead({ name, used, max, tone }: { name: string; used: number; max: number; tone: string }) {
  return (
    <div className="row">
      <span>{name}</span>
      <span className="sp" />
      <span className={`b num-l ${tone}`}>{grouped(used)}</span>
      <span className="t3 num-l">of {grouped(max)}</span>
    </div>
  );
}

function leftWord(left: number): string {
  return left <= 0 ? 'none left' : `${grouped(left)} left`;
}

function Versions({ board: { versions, event, events } }: { board: EnvelopeBoard }) {
  const shown = versions.slice(-VERSIONS_SHOWN).toReversed();
  const latest = versions.findLast(({ seq }) => seq <= event);
  return (
    <Card title="Versions" beside={<span className="sm t3">every one is kept</span>}>
      <ul className="plain tight versions" tabIndex={TABBED}>
        {shown.map(({ seq, at, document, stages }) => (
          <li key={seq}>
            <button
              type="button"
              className="linklike el"
              aria-current={seq === latest?.seq ? 'true' : undefined}
              onClick={() => showEvent(seq >= events ? null : seq)}
            >
              <Words text={stages.length === 0 ? 'as it was sent' : `after ${stages.join(', ')}`} />
            </button>
            <span className="m t3 hide-s">{shortHash(document)}</span>
            <span className="num t3">{clockTime(at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The same by hand: it is plain JSON. */
function HandItOn({ board, isLive }: Props) {
  const { question, envelope } = board;
  return (
    <Card title="Hand it on">
      <div className="in stack-s">
        <p className="t2">{handWords(board)}</p>
        <CommandLine command={isLive && question?.item ? answerLine(question.item, question.kind) : nextLine(board)} />
        <div className="row wrap">
          <CopyButton text={() => JSON.stringify(envelope, null, 2)} what="envelope" />
        </div>
      </div>
    </Card>
  );
}

function answerLine(item: number, kind: 'clarification' | 'confirmation'): string {
  return kind === 'clarification' ? `baton answer ${item} --text '…'` : `baton answer ${item} --approve`;
}

function nextLine({ status }: EnvelopeBoard): string {
  const isOver = status === 'completed_successfully' || status === 'denied_by_policy';
  return isOver ? 'baton envelope result envelope.json' : 'baton envelope process envelope.json';
}

function handWords({ question, envelope }: EnvelopeBoard): ReactNode {
  if (question) {
    const field = question.kind === 'clarification' ? 'clarification_response' : 'confirmation_response';
    return (
      <>
        The envelope is plain JSON. Send it back with <code>{field}</code> and it goes on.
      </>
    );
  }
  if (envelope.terminated) return 'The envelope is plain JSON, with every output in it.';
  return 'The envelope is plain JSON. Whoever sends it again gets what was done since.';
}

import type { BridgeBoard, BridgeCrossing } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { AnswerBar } from '../inbox/answer-bar.js';
import { answersTo } from '../inbox/answers.js';
import { useLive } from '../live/live-context.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import { bridgeWords, pendingOf } from './bridge-words.js';
import { Prompt } from './prompt.js';

type Props = { board: BridgeBoard; isLive: boolean; onDone(said: string): void };

/** What is asked, with a place for the answer; when no person is asked, how it stands. */
export function BridgeSentence({ board, isLive, onDone }: Props) {
  const asked = pendingOf(board);
  if (isLive && board.holder === 'you' && asked) return <Asked board={board} asked={asked} onDone={onDone} />;
  return <Standing board={board} />;
}

type AskedProps = { board: BridgeBoard; asked: BridgeCrossing; onDone(said: string): void };

function Asked({ board, asked, onDone }: AskedProps) {
  const { items } = useLive();
  const item = items?.find((one) => one.item === board.item);
  return (
    <section className="callout asking" aria-label="What is asked">
      <div className="row at-top asked">
        <Glyph glyph="diamond" tone="you" size={22} />
        <div className="say sp">
          <b>
            Waiting for you: <Words text={asked.agent_name} /> is asked for <Words text={asked.phase_name} />.
          </b>{' '}
          <span className="t2">
            {board.command === null
              ? 'Your answer is written to the folder.'
              : 'The orchestrator is resumed with your answer.'}
          </span>
        </div>
        {item && (
          <Link to={`/inbox/${item.item}`} className="l sm nw hide-s">
            Open in the inbox
          </Link>
        )}
      </div>
      <Prompt run={board.run_id} request={asked.request} label="The prompt that waits" className="reading" />
      {item && (
        <AnswerBar key={item.item} item={item} answers={answersTo(item)} onFocus={() => {}} onAnswered={onDone} />
      )}
    </section>
  );
}

function Standing({ board }: { board: BridgeBoard }) {
  const { glyph, tone, word } = lookOf(board.status);
  const code = board.status === 'failed' ? board.end?.problem?.code : undefined;
  return (
    <div className="row state-row">
      <Glyph glyph={glyph} tone={tone} size={18} />
      <p className="say sp">
        <b className={tone}>{word}.</b>{' '}
        <span className="t2">
          <Words text={bridgeWords(board)} />
          {code !== undefined && (
            <>
              {' '}
              <Words text={code} className="m" />
            </>
          )}
        </span>
      </p>
    </div>
  );
}

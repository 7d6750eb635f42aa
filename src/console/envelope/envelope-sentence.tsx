import type { EnvelopeBoard } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { AnswerBar } from '../inbox/answer-bar.js';
import { answersTo } from '../inbox/answers.js';
import { useLive } from '../live/live-context.js';
import { age } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import { stateWords } from './envelope-words.js';
import { StepList } from './step-list.js';

type Props = { board: EnvelopeBoard; isLive: boolean; onDone(said: string): void };
type Question = NonNullable<EnvelopeBoard['question']>;

/** What is asked, with the answers to it; when nothing is, how it stands. */
export function EnvelopeSentence({ board, isLive, onDone }: Props) {
  const { question } = board;
  if (!question) return <Standing board={board} />;
  return isLive ? <Asked board={board} question={question} onDone={onDone} /> : <Then question={question} />;
}

function Asked({ board, question, onDone }: { board: EnvelopeBoard; question: Question; onDone(said: string): void }) {
  const { items, nowMs } = useLive();
  const item = items?.find((one) => one.item === question.item);
  const leftMs = Date.parse(question.expires_at) - nowMs;
  const steps = question.kind === 'confirmation' ? board.envelope.outputs.plan?.steps : undefined;
  return (
    <section className="callout asking" aria-label="What is asked">
      <div className="row at-top asked">
        <Glyph glyph="diamond" tone="you" size={22} />
        <div className="say sp">
          <b>
            Waiting for you: <Words text={question.stage ?? 'it'} />{' '}
            {question.kind === 'clarification' ? 'has a question.' : 'asks before it goes on.'}
          </b>{' '}
          <span className="t2">{leftMs > 0 ? `Expires in ${age(leftMs)}.` : 'It has expired.'}</span>
        </div>
        {item && (
          <Link to={`/inbox/${item.item}`} className="l sm nw hide-s">
            Open in the inbox
          </Link>
        )}
      </div>
      <Lines text={question.text} className="quote reading" />
      {Array.isArray(steps) && <StepList steps={steps} />}
      {item && (
        <AnswerBar key={item.item} item={item} answers={answersTo(item)} onFocus={() => {}} onAnswered={onDone} />
      )}
    </section>
  );
}

/** What was asked then; it cannot be answered from here. */
function Then({ question: { kind, stage, text } }: { question: Question }) {
  return (
    <div className="row state-row at-top">
      <Glyph glyph="ring" tone="rest" size={18} />
      <div className="say sp">
        <b>Waited for {kind === 'clarification' ? 'an answer' : 'a yes or no'}.</b>{' '}
        <span className="t2">
          <Words text={`${stage ?? 'It'} asked: “${text}”`} />
        </span>
      </div>
    </div>
  );
}

function Standing({ board }: { board: EnvelopeBoard }) {
  const { glyph, tone, word } = lookOf(board.status);
  return (
    <div className="row state-row">
      <Glyph glyph={glyph} tone={tone} size={18} />
      <p className="say sp">
        <b className={tone}>{word}.</b>{' '}
        <span className="t2">
          <Words text={stateWords(board)} />
        </span>
      </p>
    </div>
  );
}

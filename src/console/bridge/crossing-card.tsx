import { useState } from 'react';
import type { BridgeCrossing } from '../../client/index.js';
import { shortSpan } from '../envelope/envelope-words.js';
import { Readable } from '../envelope/readable.js';
import { useText } from '../envelope/use-text.js';
import { Card } from '../parts/card.js';
import { CopyButton } from '../parts/copy-button.js';
import { clockTime, grouped, tokens } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { spaced } from './bridge-words.js';
import { ConfidenceMeter } from './confidence-meter.js';
import { Prompt, requestIn } from './prompt.js';

type Shape = 'answer' | 'prompt' | 'raw';
type Props = { run: string; crossing: BridgeCrossing };

/** What was asked and what came back, each as it is. */
export function CrossingCard({ run, crossing }: Props) {
  const hasAnswer = crossing.answer !== null || crossing.error !== null;
  const [shape, setShape] = useState<Shape | null>(null);
  const shown = shape ?? (hasAnswer ? 'answer' : 'prompt');
  return (
    <Card
      title={`Request ${crossing.handoff.replace(/^h/, '')}, ${spaced(crossing.phase_name)}`}
      beside={<Shapes shape={shown} onShape={setShape} />}
    >
      <Made crossing={crossing} />
      <div className="in stack-s">
        {crossing.error && (
          <div>
            <Words text={crossing.error.type} className="m bad" />
            <Lines text={crossing.error.message} className="quote pre-line" />
          </div>
        )}
        <ConfidenceMeter crossing={crossing} />
        {shown === 'prompt' && <Prompt run={run} request={crossing.request} className="tall-quote" />}
        {shown === 'answer' && <Answer run={run} crossing={crossing} />}
        {shown === 'raw' && <Raw run={run} crossing={crossing} />}
      </div>
    </Card>
  );
}

const SHAPES: readonly (readonly [Shape, string])[] = [
  ['answer', 'Answer'],
  ['prompt', 'Prompt'],
  ['raw', 'Raw'],
];

function Shapes({ shape, onShape }: { shape: Shape; onShape(shape: Shape): void }) {
  return (
    <fieldset className="row g4 speeds" aria-label="What is shown">
      {SHAPES.map(([one, name]) => (
        <button key={one} type="button" className="btn s" aria-pressed={shape === one} onClick={() => onShape(one)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** Who was asked, when, how often, and what it took. */
function Made({ crossing }: { crossing: BridgeCrossing }) {
  const { agent, agent_name, asked_at, answered_at, attempts, repeats, by, request_id } = crossing;
  const took = answered_at === null ? null : shortSpan(Date.parse(answered_at) - Date.parse(asked_at));
  return (
    <div className="row wrap sm t2 made">
      <span>
        <Words text={agent_name} />
        {agent === null ? ', which nobody is called' : ''}
        {agent !== null && agent !== agent_name && (
          <>
            , answered for by <Words text={agent} />
          </>
        )}
      </span>
      <span>asked at {clockTime(asked_at)}</span>
      {took !== null && <span>answered in {took}</span>}
      {by !== null && by !== agent && (
        <span>
          by <Words text={by} />
        </span>
      )}
      {attempts > 1 && <span>{grouped(attempts)} attempts</span>}
      {repeats > 0 && (
        <span>asked again {repeats === 1 ? 'once' : `${grouped(repeats)} times`}, answered from the log</span>
      )}
      {crossing.tokens !== null && <span>{tokens(crossing.tokens)} tokens</span>}
      <span>
        id <Words text={request_id} className="m" />
      </span>
    </div>
  );
}

/** Readable when it is JSON, quoted when it is words. */
function Answer({ run, crossing }: Props) {
  const { text, error } = useText(run, crossing.answer);
  if (crossing.answer === null) {
    return <p className="t2">{crossing.status === null ? 'No answer yet.' : 'No text came with it.'}</p>;
  }
  if (error) return <Words text={error.message} className="bad" />;
  if (text === null) return <div className="skel" />;
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return <Lines text={text} className="quote pre-line" />;
  return (
    <div className="quote said">
      <Readable value={value} />
    </div>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The request without its prompt, and the answer, byte for byte. */
function Raw({ run, crossing }: Props) {
  const request = useText(run, crossing.request);
  const answer = useText(run, crossing.answer);
  return (
    <>
      <h3>Request, without its prompt</h3>
      <Lines text={JSON.stringify(requestIn(request.text ?? '{}').rest, null, 2)} className="exact" />
      {crossing.answer !== null && (
        <>
          <div className="row">
            <h3>Answer, as it came</h3>
            <span className="sp" />
            {answer.text !== null && <CopyButton text={answer.text} what="answer" />}
          </div>
          <Lines text={answer.text ?? ''} className="exact" />
        </>
      )}
    </>
  );
}

import { useState } from 'react';
import type { EnvelopeBoard, EnvelopePass } from '../../client/index.js';
import { setQuery, useAddress } from '../frame/address.js';
import { useLoaded } from '../live/use-loaded.js';
import { Card } from '../parts/card.js';
import { Diff } from '../parts/diff.js';
import { clockTime, dollars } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { type BoardStage, passName, spanMs } from './board-stage.js';
import { shortSpan } from './envelope-words.js';
import { Readable } from './readable.js';
import { textPatch } from './text-patch.js';
import { readText, useText } from './use-text.js';

type Props = { board: EnvelopeBoard; stage: BoardStage };
type Shape = 'readable' | 'json' | 'diff';

/** What a stage has given, each time it was at work, as words, as it is, or as what differs from the time before. */
export function StageOutput({ board, stage }: Props) {
  const [shape, setShape] = useState<Shape>('readable');
  const { passes } = stage;
  const wanted = Number(useAddress().query.get('pass') ?? 0);
  const chosen =
    passes.find(({ number }) => number === wanted) ?? passes.findLast(({ output }) => output !== null) ?? passes.at(-1);
  const before = passes.slice(0, chosen ? passes.indexOf(chosen) : 0).findLast(({ output }) => output !== null);
  const shown = shape === 'diff' && !before ? 'readable' : shape;
  return (
    <Card
      title={`Output of ${stage.name}`}
      beside={<Shapes shape={shown} canCompare={before !== undefined && chosen?.output !== null} onShape={setShape} />}
    >
      {passes.length > 1 && <Passes passes={passes} chosen={chosen} />}
      {chosen ? (
        <>
          <Made pass={chosen} />
          <Given {...{ board, chosen, before, shown }} />
        </>
      ) : (
        <Elsewhere board={board} stage={stage} />
      )}
    </Card>
  );
}

const SHAPES: readonly (readonly [Shape, string])[] = [
  ['readable', 'Readable'],
  ['json', 'JSON'],
  ['diff', 'Difference'],
];

function Shapes({ shape, canCompare, onShape }: { shape: Shape; canCompare: boolean; onShape(shape: Shape): void }) {
  return (
    <fieldset className="row g4 speeds" aria-label="How it is shown">
      {SHAPES.filter(([one]) => one !== 'diff' || canCompare).map(([one, name]) => (
        <button key={one} type="button" className="btn s" aria-pressed={shape === one} onClick={() => onShape(one)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}

function Passes({ passes, chosen }: { passes: readonly EnvelopePass[]; chosen: EnvelopePass | undefined }) {
  return (
    <fieldset className="row g4 wrap passes" aria-label="Which time">
      {passes.map((pass) => (
        <button
          key={pass.number}
          type="button"
          className="btn s"
          aria-pressed={pass === chosen}
          onClick={() => setQuery({ stage: pass.stage, pass: String(pass.number) })}
        >
          {passName(pass, passes)}
        </button>
      ))}
    </fieldset>
  );
}

/** Who gave it, when, how long it took. */
function Made({ pass: { agent, started_at, ended_at, llm_calls, tries, cost_usd, error } }: { pass: EnvelopePass }) {
  const took = ended_at === null ? null : shortSpan(spanMs(started_at, ended_at, 0));
  return (
    <div className="row wrap sm t2 made">
      <span>
        {agent === null ? (
          'by tools'
        ) : (
          <>
            by <Words text={agent} />
          </>
        )}
      </span>
      <span>at {clockTime(started_at)}</span>
      {took !== null && <span>in {took}</span>}
      <span>{llm_calls === 1 ? '1 LLM call' : `${llm_calls} LLM calls`}</span>
      {tries > 1 && <span>asked {tries} times</span>}
      {cost_usd > 0 && <span>{dollars(cost_usd)}</span>}
      {error !== null && <Words text={error} className="bad" />}
    </div>
  );
}

type GivenProps = {
  board: EnvelopeBoard;
  chosen: EnvelopePass;
  before: EnvelopePass | undefined;
  shown: Shape;
};

function Given({ board, chosen, before, shown }: GivenProps) {
  const { text, error } = useText(board.run_id, chosen.output);
  if (chosen.output === null) return <p className="in t2">{withoutOutput(chosen)}</p>;
  if (error) {
    return (
      <p className="in bad">
        <Words text={error.message} />
      </p>
    );
  }
  if (text === null) return <div className="in skel" />;
  if (shown === 'diff' && before) return <Difference run={board.run_id} before={before} after={chosen} />;
  if (shown === 'json') {
    return (
      <div className="in">
        <Lines text={pretty(text)} className="exact" />
      </div>
    );
  }
  return (
    <div className="in">
      <Readable value={parsed(text)} />
    </div>
  );
}

function Difference({ run, before, after }: { run: string; before: EnvelopePass; after: EnvelopePass }) {
  const { value, error } = useLoaded(`difference ${before.output} ${after.output}`, 0, async () => {
    const [old, fresh] = await Promise.all([readText(run, before.output), readText(run, after.output)]);
    return textPatch(`${after.stage}, compared with iteration ${before.iteration}`, pretty(old), pretty(fresh));
  });
  if (error) {
    return (
      <p className="in bad">
        <Words text={error.message} />
      </p>
    );
  }
  return value === null ? <div className="in skel" /> : <Diff patch={value} />;
}

/** What came with the envelope from elsewhere; nobody here has made it. */
function Elsewhere({ board: { envelope }, stage }: Props) {
  const { output_key: key } = stage;
  if (!Object.hasOwn(envelope.outputs, key)) return <p className="in t2">It was not reached yet.</p>;
  return (
    <div className="in">
      <p className="sm t2">It came with the envelope.</p>
      <Readable value={envelope.outputs[key]} />
    </div>
  );
}

function withoutOutput({ status }: EnvelopePass): string {
  if (status === 'running') return 'It is at work. What it gives is shown here.';
  return status === 'waiting' ? 'It has not begun: it asks first.' : 'It has given nothing that could be kept.';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function pretty(text: string): string {
  const value = parsed(text);
  return typeof value === 'string' ? text : JSON.stringify(value, null, 2);
}

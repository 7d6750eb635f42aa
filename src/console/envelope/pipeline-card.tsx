import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { EnvelopeBoard } from '../../client/index.js';
import { setQuery } from '../frame/address.js';
import { useLive } from '../live/live-context.js';
import { Card } from '../parts/card.js';
import { dollars } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { shownText } from '../parts/visible.js';
import { type BoardStage, STAGE_LOOKS, stageWords } from './board-stage.js';
import { type Box, drawingOf } from './pipeline-geometry.js';
import { PipelineLines } from './pipeline-lines.js';
import { PipelineTable } from './pipeline-table.js';
import { layoutOf, pipelineSummary, waysOf } from './pipeline-ways.js';

type Props = { board: EnvelopeBoard; stages: readonly BoardStage[]; chosen: string | null };

/** The pipeline from left to right: what was gone, how often, and where it stands. */
export function PipelineCard({ board, stages, chosen }: Props) {
  const { pipeline, moves, envelope } = board;
  const room = useRef<HTMLElement>(null);
  const width = useWidth(room);
  const layout = useMemo(() => layoutOf(pipeline), [pipeline]);
  const ways = useMemo(() => waysOf(pipeline, moves), [pipeline, moves]);
  const drawing = useMemo(() => drawingOf(layout, ways, width), [layout, ways, width]);
  const lit = stages.filter(({ state }) => state === 'you' || state === 'run' || state === 'due');
  useLitInView(room, lit[0]?.name);
  return (
    <Card title="Pipeline" beside={<Words text={envelope.raw_input} className="sm t3 el request" />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section className="pipeline" ref={room} tabIndex={0} aria-label="Stages">
        <div className="pipe" style={{ width: drawing.width, height: drawing.height }}>
          <PipelineLines drawing={drawing} summary={shownText(pipelineSummary(pipeline, ways, nowWords(lit)))} />
          {drawing.boxes.map((box) => {
            const stage = stages.find(({ name }) => name === box.stage);
            return stage && <Stage key={box.stage} box={box} stage={stage} isChosen={stage.name === chosen} />;
          })}
        </div>
      </section>
      <details className="same">
        <summary>The same as a table</summary>
        <PipelineTable stages={stages} ways={ways} moves={moves} />
      </details>
    </Card>
  );
}

function Stage({ box, stage, isChosen }: { box: Box; stage: BoardStage; isChosen: boolean }) {
  const { nowMs } = useLive();
  const { tone, glyph } = STAGE_LOOKS[stage.state];
  const { passes, calls, costUsd } = stage;
  return (
    <button
      type="button"
      className={`stage-box is-${stage.state}`}
      style={{ left: box.x, top: box.y, width: box.width }}
      aria-pressed={isChosen}
      data-stage={stage.name}
      title={shownText(stage.name)}
      onClick={() => setQuery({ stage: stage.name })}
    >
      <span className="row">
        <Glyph glyph={glyph} tone={tone} size={15} />
        <Words text={stage.name} className="b el" />
        <span className="sp" />
        {passes.length > 1 && <span className="sm t3">{passes.length}×</span>}
      </span>
      <span className="sm t2 el">{stageWords(stage, nowMs)}</span>
      <span className="row sm t3">
        {calls > 0 && <span>{calls === 1 ? '1 call' : `${calls} calls`}</span>}
        <span className="sp" />
        {costUsd > 0 && <span>{dollars(costUsd)}</span>}
      </span>
    </button>
  );
}

function nowWords(lit: readonly BoardStage[]): string {
  return lit
    .map(({ name, state }) => {
      if (state === 'you') return `${name} waits for you`;
      return state === 'run' ? `${name} is at work` : `${name} is next`;
    })
    .join(', ');
}

/** Before the first look at it there is no width; then it is drawn as narrow as it can be. */
function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      setWidth(Math.floor(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [box]);
  return width;
}

/** Where it does not fit, it opens at the stage that is lit; after that it stays where it was scrolled to. */
function useLitInView(box: RefObject<HTMLElement | null>, stage: string | undefined): void {
  const isDone = useRef(false);
  useEffect(() => {
    const element = box.current;
    if (!element || stage === undefined || isDone.current) return;
    isDone.current = true;
    const lit = element.querySelector<HTMLElement>(`[data-stage="${CSS.escape(stage)}"]`);
    if (lit) element.scrollLeft = lit.offsetLeft - (element.clientWidth - lit.offsetWidth) / 2;
  }, [box, stage]);
}

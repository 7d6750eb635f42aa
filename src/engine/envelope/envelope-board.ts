import type { EnvelopeBoard } from '../../contracts/api/envelope-shapes.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { statusOf } from '../../core/envelope/envelope-decider.js';
import type { LiveEnvelope } from '../../core/envelope/envelope-state.js';
import type { EventRow } from '../ports.js';
import { ticksOf } from '../shown/timeline/job-view.js';
import { markOf } from '../shown/timeline/moment.js';
import { boundsOf } from './envelope-card.js';
import { movesIn, passesIn, type Told } from './envelope-passes.js';

const MICRO_PER_USD = 1_000_000;

type Parts = {
  run: string;
  envelope: Envelope;
  pipeline: Pipeline;
  /** All of them; what came behind `event` is not told. */
  rows: readonly EventRow[];
  event: number;
  item: number | null;
};

export function envelopeBoard(live: LiveEnvelope, parts: Parts): EnvelopeBoard {
  const { run, envelope, pipeline, rows, event, item } = parts;
  const told = rows.slice(0, event).map(({ seq, at, type, data }): Told => {
    return { seq, at, event: { ...JSON.parse(data), type } };
  });
  const { progress } = live.now;
  return {
    ...{ run_id: run, event, events: rows.length, at: told.at(-1)?.at ?? '' },
    ticks: ticksOf(rows.map(markOf).join('')),
    ...{ status: statusOf(live), envelope, pipeline, agent: live.order.agent },
    repository: live.order.repository?.folder ?? null,
    ...{ due: progress.due, waiting: progress.waiting, critic_fires: progress.fires },
    bounds: boundsOf(envelope, pipeline, progress.fires),
    ...{ cost_usd: live.spent.costMicroUsd / MICRO_PER_USD, tokens: live.spent.tokens },
    passes: passesIn(told, pipeline),
    moves: movesIn(told, pipeline),
    versions: versionsIn(told),
    question: live.asked && {
      ...{ item, kind: live.asked.kind, text: live.asked.question, stage: progress.asked?.from ?? null },
      expires_at: new Date(live.asked.expiresAtMs).toISOString(),
    },
  };
}

function versionsIn(told: readonly Told[]): EnvelopeBoard['versions'] {
  let stages: readonly string[] = [];
  return told.flatMap(({ seq, at, event }) => {
    if (event.type === 'StagesStarted') stages = event.stages.map(({ stage }) => stage);
    if (event.type !== 'EnvelopeReceived' && event.type !== 'EnvelopeMoved') return [];
    const led = event.type === 'EnvelopeMoved' ? stages : [];
    return [{ seq, at, document: event.moved.document.sha256, stages: led }];
  });
}

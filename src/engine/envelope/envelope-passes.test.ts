import { expect, test } from 'vitest';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import type { EnvelopeEvent } from '../../core/envelope/envelope-messages.js';
import { movesIn, passesIn, type Told } from './envelope-passes.js';

const FORK: Pipeline = {
  name: 'fork',
  stages: [
    {
      ...{ name: 'intent', output_key: 'intent', default_next: 'tests' },
      rules: [{ field: 'ask', equals: true, to: 'clarification' }],
    },
    { name: 'tests', output_key: 'tests', default_next: 'critic', after: ['intent'] },
    { name: 'style', output_key: 'style', default_next: 'critic', after: ['intent'] },
    {
      ...{ name: 'critic', output_key: 'critic', default_next: 'end', after: ['tests', 'style'] },
      rules: [{ field: 'verdict', equals: 'reintent', to: 'intent' }],
    },
  ],
};

/** Only what is read of events. */
function told(...events: readonly object[]): readonly Told[] {
  return events.map((event, index) => ({
    ...{ seq: index + 1, at: new Date(index * 1_000).toISOString(), event: event as EnvelopeEvent },
  }));
}

const moved = (given: { iteration?: number; ended?: string; asked?: string } = {}) => ({
  standing: { figures: { iteration: given.iteration ?? 0, stageNumber: 1 }, ended: given.ended ?? null },
  progress: { asked: given.asked === undefined ? null : { from: given.asked, to: 'clarification', steps: null } },
});
const received = (closes: number | null = null) => ({ type: 'EnvelopeReceived', moved: moved(), closes });
const wentOn = (given: Parameters<typeof moved>[0] = {}) => ({
  ...{ type: 'EnvelopeMoved', moved: moved(given) },
  question: given?.asked === undefined ? null : { kind: 'clarification' },
});
const started = (...stages: readonly string[]) => ({
  type: 'StagesStarted',
  stages: stages.map((stage) => ({ stage, handoff: `${stage}-${stage.length}`, by: { agent: 'a' } })),
});
const named = (stage: string, handoff: string) => ({
  ...{ type: 'StagesStarted', stages: [{ stage, handoff, by: { agent: 'a' } }] },
});

test('ways are counted where they were gone: a join from all it waited for, an answer and a question as such', () => {
  const moves = movesIn(
    told(
      ...[received(), started('intent'), wentOn({ asked: 'intent' }), received(1)],
      ...[
        started('intent'),
        wentOn(),
        started('tests', 'style'),
        wentOn(),
        started('critic'),
        wentOn({ iteration: 1 }),
      ],
      ...[started('intent'), wentOn(), started('tests', 'style'), wentOn(), started('critic')],
      wentOn({ ended: 'completed_successfully' }),
    ),
    FORK,
  );
  expect(moves.map(({ from, to, count }) => `${from} → ${to} ${count}`)).toEqual([
    ...['start → intent 1', 'intent → clarification 1', 'answer → intent 1', 'intent → tests 2', 'intent → style 2'],
    ...['tests → critic 2', 'style → critic 2', 'critic → intent 1', 'critic → end 1'],
  ]);
});

test('what is asked again is the same time at work: it costs and counts together, until the stage has ended', () => {
  const ended = (stage: string, costMicroUsd: number) => ({ type: 'HandoffEnded', stage, usage: { costMicroUsd } });
  const passes = passesIn(
    told(
      ...[received(), named('intent', 'h1'), { type: 'HandoffAsked', stage: 'intent', handoff: 'h1' }],
      ...[ended('intent', 250_000), { type: 'HandoffAsked', stage: 'intent', handoff: 'h2' }, ended('intent', 500_000)],
      { type: 'StageEnded', handoff: 'h2', end: { stage: 'intent', type: 'output', ...OUTPUT } },
      ...[wentOn({ iteration: 1 }), named('intent', 'h3')],
    ),
    FORK,
  );
  expect(passes).toEqual([
    {
      ...{ number: 1, stage: 'intent', agent: 'a', handoff: 'h1', event: 2, iteration: 0, stage_number: 1 },
      ...{ started_at: '1970-01-01T00:00:01.000Z', ended_at: '1970-01-01T00:00:06.000Z', status: 'success' },
      ...{ error: null, llm_calls: 2, tries: 2, cost_usd: 0.75, output: 'f'.repeat(64), from: null },
    },
    {
      ...{ number: 2, stage: 'intent', agent: 'a', handoff: 'h3', event: 9, iteration: 1, stage_number: 1 },
      ...{ started_at: '1970-01-01T00:00:08.000Z', ended_at: null, status: 'running' },
      ...{ error: null, llm_calls: 0, tries: 0, cost_usd: 0, output: null, from: null },
    },
  ]);
});

const OUTPUT = { output: { sha256: 'f'.repeat(64), bytes: 2 }, errors: [], ends: null, llmCalls: 2 };

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { envelope as contract } from '../../src/contracts/envelope/envelope.js';
import { readEnvelope } from '../../src/contracts/envelope/read-envelope.js';
import type { Envelope } from '../../src/contracts/generated/types/envelope.js';
import type { ProcessingRecord } from '../../src/contracts/generated/types/processing-record.js';
import { check } from '../../src/contracts/shared/contract.js';
import { readJson } from '../../src/contracts/shared/read-json.js';
import { EVENT_BYTES_MAX } from '../../src/engine/seal.js';
import { arbitraryDeed, arbitraryPipeline, type StageDeed } from './arbitrary-pipeline.js';
import { EnvelopeWorld, type Script } from './envelope-world.js';
import { envelopeOf } from './stage-kit.js';

const bounds = fc.record({
  max_iterations: fc.integer({ min: 1, max: 4 }),
  max_llm_calls: fc.integer({ min: 1, max: 12 }),
  max_agent_hops: fc.integer({ min: 1, max: 15 }),
  max_stages: fc.integer({ min: 1, max: 3 }),
});
const life = fc.record({
  pipeline: arbitraryPipeline,
  deeds: fc.array(arbitraryDeed, { minLength: 1, maxLength: 20 }),
  answers: fc.array(fc.constantFrom('yes' as const, 'yes' as const, 'no' as const, 'expire' as const), {
    minLength: 1,
    maxLength: 4,
  }),
  bounds,
  steps: fc.boolean(),
  seeds: fc.tuple(fc.nat(), fc.nat()),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;

const UNTOUCHED = { metadata: { deep: [{ a: null }] }, x_trace: 'é', received_at: '2025-12-10T10:00:00.123456Z' };
const RUNS = 150;

describe('through any pipeline, whatever its stages say', () => {
  test('an envelope ends, within its bounds, and can be read at every time', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (one) => {
        const world = await lived(one, one.seeds[0]);
        const ended = await world.envelope();
        expect(ended.terminated).toBe(true);
        const versions = await world.versions();
        for (const [index, version] of versions.entries()) fits(version, versions[index - 1]);
        expect(ended).toMatchObject(UNTOUCHED);
        expect(ended.llm_call_count).toBe(world.answers);
        recordedOnce(world, ended);
      }),
      { numRuns: RUNS },
    );
  });

  test('it does not matter who is faster, or what is lost on the way', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (one) => {
        const ends = one.seeds.map(async (seed) => (await lived({ ...one, steps: false }, seed)).envelope());
        const [first, second] = await Promise.all(ends);
        expect(timeless(first as Envelope)).toEqual(timeless(second as Envelope));
      }),
      { numRuns: RUNS },
    );
  });
});

async function lived({ pipeline, deeds, answers, bounds: max, steps }: Life, seed: number): Promise<EnvelopeWorld> {
  const script: Script = {
    deed: (stage, run) => deeds[(Number(stage.slice(1)) * 7 + run * 3) % deeds.length] as StageDeed,
    answer: (question) => answers[(question - 1) % answers.length] ?? 'yes',
  };
  const world = new EnvelopeWorld(pipeline, script, chanceFrom(seed), { steps });
  await world.receive(envelopeOf({ ...max, ...UNTOUCHED }));
  await world.untilEnded();
  return world;
}

function fits(version: Envelope, before: Envelope | undefined): void {
  const text = JSON.stringify(version);
  const read = readJson(text);
  expect(read).toHaveProperty('value');
  expect(check(contract, version)).toMatchObject({ allow: true });
  expect(JSON.stringify(readEnvelope(JSON.parse(text)))).toBe(text);
  const { iteration = 0, max_iterations = 0, llm_call_count = 0, max_llm_calls = 0 } = version;
  const { agent_hop_count = 0, max_agent_hops = 0, current_stage_number = 1, max_stages = 1 } = version;
  expect(iteration).toBeLessThanOrEqual(max_iterations + 1);
  expect(llm_call_count).toBeLessThanOrEqual(max_llm_calls);
  expect(agent_hop_count).toBeLessThanOrEqual(max_agent_hops);
  expect(current_stage_number).toBeLessThanOrEqual(max_stages);
  const history = (version.processing_history ?? []) as ProcessingRecord[];
  expect(history).toHaveLength(agent_hop_count);
  expect(history.reduce((sum, { llm_calls }) => sum + (llm_calls ?? 0), 0)).toBe(llm_call_count);
  for (const counter of ['iteration', 'llm_call_count', 'agent_hop_count', 'current_stage_number'] as const) {
    expect(version[counter]).toBeGreaterThanOrEqual(before?.[counter] ?? 0);
  }
}

function recordedOnce({ events, live }: EnvelopeWorld, { agent_hop_count = 0 }: Envelope): void {
  const ended = events.flatMap((event) => (event.type === 'StageEnded' ? [event.handoff] : []));
  expect(new Set(ended).size).toBe(ended.length);
  expect(ended).toHaveLength(agent_hop_count);
  const received = events.filter(({ type }) => type === 'EnvelopeReceived').length;
  expect(live.versions.length).toBeLessThanOrEqual(2 * received + agent_hop_count + 1);
  for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(EVENT_BYTES_MAX);
}

function timeless(envelope: Envelope): unknown {
  const text = JSON.stringify(envelope).replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"T"');
  return JSON.parse(text.replace(/"duration_ms":\d+/g, '"duration_ms":0'));
}

/** The same seed gives the same chances. */
function chanceFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

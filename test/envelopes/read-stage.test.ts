import { expect, test } from 'vitest';
import type { ReadFacts } from '../../src/core/envelope/envelope-effects.js';
import { receiveFirst } from '../../src/core/envelope/receive-envelope.js';
import { stageRequest } from '../../src/engine/envelope/compose-stage.js';
import { DocumentMover } from '../../src/engine/envelope/document-mover.js';
import { readStage } from '../../src/engine/envelope/read-stage.js';
import type { SealedBody } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import { allowed, DEFAULT, envelopeOf, GOOD, sha256 } from './stage-kit.js';

const SECRET = 'sk-live-0123456789abcdefghij';

/** A desk at which the answers to the stage that is due are read. */
class Desk {
  readonly bodies = new Map<string, Uint8Array>();
  readonly body = async (hash: string) => this.bodies.get(hash);
  readonly mover = new DocumentMover({ scrub: createScrub([SECRET]), hasher: { sha256 }, body: this.body });
  readonly facts: ReadFacts;

  constructor(change: Partial<ReadFacts> = {}) {
    const { moved, bodies } = this.mover.seal(allowed(receiveFirst(envelopeOf(), DEFAULT, 0)), DEFAULT);
    const pipeline = this.mover.sealJson(DEFAULT);
    this.keep([...bodies, pipeline.body]);
    this.facts = {
      ...{ document: moved.document, pipeline: pipeline.ref, progress: moved.progress, stage: 'perception' },
      ...{ startedMs: 0, llmCalls: 0, alone: true, folder: null, mayRepair: true, isNamed: true, ...change },
    };
  }

  async read(said: unknown, missing: readonly string[] = []) {
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    const missingIn = async () => missing.map((location) => ({ location, because: 'is not there' }));
    const { reading, bodies } = await readStage({ mover: this.mover, missingIn }, this.facts, { text, atMs: 5 });
    this.keep(bodies);
    return reading;
  }

  private keep(bodies: readonly SealedBody[]): void {
    for (const { sha256: hash, bytes } of bodies) this.bodies.set(hash, bytes);
  }
}

test('an answer is read, and where nobody else is at work the next envelope is made of it', async () => {
  const desk = new Desk();
  const x_usage = { input_tokens: 3, output_tokens: 4, cost_usd: 0.5, model: 'm' };
  const reading = await desk.read({ ...GOOD.perception, x_usage });
  expect(reading).toMatchObject({ problem: null, violation: null, end: { type: 'output', llmCalls: 1 } });
  expect(reading.reported).toMatchObject({ inputTokens: 3, outputTokens: 4, costMicroUsd: 500_000 });
  expect(reading.moved?.standing.due).toEqual([{ stage: 'intent', by: { agent: null } }]);
  const next = await desk.mover.envelope(reading.moved?.document ?? { sha256: '', bytes: 0 });
  expect(next).toMatchObject({ outputs: { perception: GOOD.perception }, llm_call_count: 1 });
  expect(next.outputs.perception).not.toHaveProperty('x_usage');
});

test('beside others only its output is kept', async () => {
  expect(await new Desk({ alone: false }).read(GOOD.perception)).toMatchObject({
    end: { type: 'output' },
    moved: null,
  });
});

test.each([
  ['words', 'I would rather talk.'],
  ['a list', '[]'],
  ['without what is required', { detected_language: 'en' }],
  ['of another type', { normalized_input: 7 }],
])('an answer of %s is asked for again once, then the stage has failed', async (_, said) => {
  const first = await new Desk().read(said);
  expect(first).toMatchObject({ end: null, moved: null, problem: expect.any(String) });
  const second = await new Desk({ mayRepair: false, llmCalls: 1 }).read(said);
  expect(second).toMatchObject({
    end: { type: 'error', llmCalls: 2, error: { error_type: 'OutputInvalid' } },
    moved: { standing: { ended: 'tool_failed_fatally' } },
  });
});

test('what it cites has to be there, and is said without halves of letters', async () => {
  const said = { ...GOOD.perception, evidence: [{ location: '😀'.repeat(900) }] };
  const desk = new Desk({ folder: '/r' });
  expect((await desk.read(said)).problem).toBeNull();
  const { problem } = await desk.read(said, ['😀'.repeat(900)]);
  expect(problem).toContain('it cites what is not there: 😀');
  expect(problem).not.toMatch(/\p{Surrogate}/u);
});

test('a secret that is said is kept neither in the output nor in the envelope', async () => {
  const desk = new Desk();
  const reading = await desk.read({ normalized_input: `use ${SECRET}` });
  expect(reading.problem).toBeNull();
  const kept = [...desk.bodies.values()].map((bytes) => new TextDecoder().decode(bytes)).join('\n');
  expect(kept).toContain('normalized_input');
  expect(kept).not.toContain(SECRET);
});

test('a stage is sent the envelope, what its output has to look like, and what was wrong with the last one', async () => {
  const { facts, mover, body, bodies } = new Desk();
  const { document, pipeline, stage } = facts;
  const request = async (repair: Parameters<typeof stageRequest>[1]['repair']) =>
    JSON.parse(await stageRequest({ mover, body, toolsNamed: async () => [] }, { document, pipeline, stage, repair }));
  expect(await request(null)).toEqual({
    ...{ stage: 'perception', envelope: await mover.envelope(document) },
    output_schema: expect.objectContaining({ required: ['normalized_input'] }),
  });
  bodies.set('answer', new TextEncoder().encode('words'));
  const again = await request({ problem: 'no object', answer: { sha256: 'answer', bytes: 5 } });
  expect(again.repair).toEqual({ problem: 'no object', answer: 'words' });
});

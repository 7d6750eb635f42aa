import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/contracts/shared/read-json.js';
import type { EnvelopeEvent } from '../../src/core/envelope/envelope-messages.js';
import { EVENT_BYTES_MAX } from '../../src/engine/seal.js';
import type { StageDeed } from './arbitrary-pipeline.js';
import { EnvelopeWorld } from './envelope-world.js';
import { envelopeOf, pipelineOf, stageOf } from './stage-kit.js';

const answers = (output: Record<string, unknown>): StageDeed => ({ does: 'answers', output, firstIsBad: false });
const never = (): number => 0.999;
const ROOMY = { max_iterations: 999, max_llm_calls: 999, max_agent_hops: 999 };

async function lived(
  stages: readonly object[],
  deeds: (stage: string, run: number) => StageDeed,
  changes: object = {},
) {
  const script = { deed: deeds, answer: () => 'yes' as const };
  const world = new EnvelopeWorld(pipelineOf(stages), script, never, { steps: false });
  await world.receive(envelopeOf({ ...ROOMY, ...changes }));
  await world.untilEnded();
  return world;
}

function largest(events: readonly EnvelopeEvent[]): number {
  return Math.max(...events.map((event) => Buffer.byteLength(JSON.stringify(event))));
}

describe('an event holds 64 KiB', () => {
  test('whatever the goals are', async () => {
    const goals = Array.from({ length: 200 }, (_, index) => `${index} ${'ü'.repeat(300)}`);
    const world = await lived([stageOf('intent')], () => answers({ intent: 'x', goals }), {
      raw_input: 'ü'.repeat(90_000),
    });
    expect((await world.envelope()).all_goals).toHaveLength(200);
    expect(largest(world.events)).toBeLessThan(4 * 1024);
  });

  test.each(['"', '\n', '\u0001', '漢', '😀'])('however long a question out of %j is', async (letter) => {
    const rules = [{ field: 'ask', equals: true, to: 'clarification' }];
    const question = letter.repeat(100_000);
    const world = await lived([stageOf('one', { rules })], (_, run) =>
      answers({ ask: run === 0, clarification_question: question }),
    );
    // In the envelope it is whole; a question of blanks alone is none.
    const { clarification_question } = await world.envelope();
    expect(clarification_question).toBe(letter === '\n' ? 'Stage one needs to know more. What is meant?' : question);
    expect(largest(world.events)).toBeLessThan(EVENT_BYTES_MAX);
  });

  test('however many steps failed, in however many words', async () => {
    const error = { error_type: 'ToolError', message: `${'x'.repeat(999)}😀${'\0'.repeat(9_000)}`, recoverable: true };
    const errors = Array.from({ length: 50 }, (_, step) => ({ ...error, details: { step, log: 'y'.repeat(5_000) } }));
    const tools = ['read_file'];
    const stages = [stageOf('one', { tools }), stageOf('two', { tools, after: [] })];
    const world = await lived(stages, () => ({ does: 'breaks', errors }));
    expect(largest(world.events)).toBeLessThan(EVENT_BYTES_MAX);
    const envelope = await world.envelope();
    expect(readJson(JSON.stringify(envelope))).toHaveProperty('value');
    expect(envelope.errors).toContainEqual(expect.objectContaining({ error_type: 'MoreErrors', recoverable: true }));
    expect(envelope.terminal_reason).toBe('completed_successfully');
  });

  test('however many stages are at work at once', async () => {
    const names = Array.from({ length: 190 }, (_, index) => `s${index}_${'x'.repeat(58)}`);
    const question = { ask: true, clarification_question: '漢'.repeat(9_000) };
    const rules = [{ field: 'ask', equals: true, to: 'clarification' }];
    const stages = names.map((name) => stageOf(name, { after: [], rules }));
    const world = await lived(stages, (stage, run) => answers(stage === names[0] && run === 0 ? question : {}));
    expect((await world.envelope()).terminal_reason).toBe('completed_successfully');
    expect(largest(world.events)).toBeLessThan(EVENT_BYTES_MAX);
  });
});

test('what is kept of a run grows with its stages, and not faster', async () => {
  const rules = [{ field: 'again', equals: true, to: 'one' }];
  const sizeAfter = async (stages: number): Promise<number> => {
    const world = await lived([stageOf('one', { rules })], (_, run) => answers({ again: run < stages - 1 }));
    expect((await world.envelope()).agent_hop_count).toBe(stages);
    expect(world.live.versions.length).toBeLessThanOrEqual(2 + stages);
    return JSON.stringify(world.run).length;
  };
  const [few, more, most] = [await sizeAfter(50), await sizeAfter(100), await sizeAfter(200)];
  expect(most - more).toBeLessThan(2.2 * (more - few));
});

describe('an envelope that nobody could read back is not made', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

  test.each([
    ['OutputTooLarge', { text: 'x'.repeat(2_097_000) }],
    ['OutputUnreadable', { nested: deep(62) }],
  ])('%s', async (error_type, output) => {
    const world = await lived([stageOf('intent')], () => answers({ intent: 'x', goals: [], ...output }));
    const envelope = await world.envelope();
    expect(envelope).toMatchObject({ terminal_reason: 'tool_failed_fatally', outputs: {}, errors: [{ error_type }] });
    expect(readJson(JSON.stringify(envelope))).toHaveProperty('value');
  });

  test('and of stages side by side only the one that is too large has failed', async () => {
    const stages = [stageOf('one'), stageOf('two', { after: [] })];
    const world = await lived(stages, (stage) => answers(stage === 'two' ? { text: 'x'.repeat(2_097_000) } : { a: 1 }));
    expect(await world.envelope()).toMatchObject({ outputs: { one: { a: 1 } }, errors: [{ agent: 'two' }] });
  });

  test('nor one that is too large with all of them together', async () => {
    const stages = [stageOf('one'), stageOf('two', { after: [] })];
    const world = await lived(stages, () => answers({ text: 'x'.repeat(1_100_000) }));
    expect((await world.envelope()).errors).toMatchObject([{ agent: 'one' }, { agent: 'two' }]);
  });
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Envelope } from '../../src/contracts/generated/types/envelope.js';
import { openBaton } from '../../src/wiring.js';
import { removeFolder } from '../../src/workspace/remove-folder.js';
import { envelopeOf, GOOD, pipelineOf, stageOf } from './stage-kit.js';

const STAGES = ['perception', 'intent', 'critic', 'integration'];
const PIPELINE = pipelineOf(STAGES.map((name, index) => stageOf(name, { default_next: STAGES[index + 1] ?? 'end' })));
const SAYS = STAGES.map((stage) => ({ when: { stage }, answer: GOOD[stage] }));

/** A home with an agent that answers every stage. */
async function opened() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-steps-'));
  const script = path.join(folder, 'answers.json');
  writeFileSync(script, JSON.stringify({ answers: SAYS }));
  onTestFinished(() => removeFolder(folder));
  const options = { pipeline: PIPELINE, agent: `scripted:${script}` };
  const open = async () => {
    const { PATH } = process.env;
    const how = { env: { PATH }, cwd: folder, writer: 'main', drives: true } as const;
    const { envelopes, close } = await openBaton({ home: path.join(folder, 'home'), ...how });
    const by = { actor: 'anna' };
    return {
      step: (envelope: Envelope) => envelopes.handle(envelope, options, 'step', by),
      process: (envelope: Envelope) => envelopes.handle(envelope, options, 'process', by),
      show: () => envelopes.current(envelopeOf().envelope_id),
      close,
    };
  };
  return { open };
}

test('a step with the same envelope gives the same next one, at once, later, and after it was opened anew', async () => {
  const { open } = await opened();
  const first = await open();
  const versions = [envelopeOf()];
  for (const _ of STAGES) versions.push(await first.step(versions.at(-1) as Envelope));
  expect(versions.map(({ agent_hop_count }) => agent_hop_count)).toEqual([0, 1, 2, 3, 4]);
  expect(versions.at(-1)).toMatchObject({ terminal_reason: 'completed_successfully', outputs: GOOD_OF_STAGES });
  const again = async (baton: typeof first) => {
    for (const [index, version] of versions.entries()) {
      expect(await baton.step(version)).toEqual(versions[index + 1] ?? version);
    }
  };
  await again(first);
  await first.close();
  const second = await open();
  await again(second);
  await second.close();
});

test('two who send the same envelope at once make one step', async () => {
  const { open } = await opened();
  const baton = await open();
  const start = envelopeOf();
  const [one, other] = await Promise.all([baton.step(start), baton.step(start)]);
  expect(one).toEqual(other);
  expect(await baton.show()).toEqual(one);
  const third = await baton.step(one as Envelope);
  expect(third).toMatchObject({ agent_hop_count: 2, current_stage: 'critic' });
  // Whoever is behind is told what came of it, and nothing goes on for that.
  expect(await baton.step(start)).toEqual(one);
  expect(await baton.show()).toEqual(third);
  await baton.close();
});

test('whoever sends an old one to be processed gets what is recorded, or what comes of it', async () => {
  const { open } = await opened();
  const baton = await open();
  const start = envelopeOf();
  const one = await baton.step(start);
  const done = await baton.process(start);
  expect(done).toMatchObject({ terminated: true, agent_hop_count: 4 });
  expect(await baton.process(one)).toEqual(done);
  expect(await baton.step(start)).toEqual(one);
  await baton.close();
});

const GOOD_OF_STAGES = Object.fromEntries(STAGES.map((stage) => [stage, GOOD[stage]]));

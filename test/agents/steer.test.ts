import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ModelServer } from '../../src/testing/index.js';
import { alive } from '../jobs/alive.js';
import type { JobStage, Printed } from '../jobs/job-stage.js';
import { DONE, MEND, REAL, type RealName, realStage, runs } from './real-stage.js';

const LONG_MS = 180_000;
const WORDS = 'Mind the tenant b.';
const NAP = `sleep 307.${process.pid}`;
const WAITS = 'echo > begun.txt; while [ ! -e go.txt ]; do sleep 0.1; done; rm begun.txt go.txt';

/** An agent that has begun with what takes long. */
async function working(who: RealName, command: string) {
  const { stage, model } = await realStage([
    { when: { prompt: WORDS }, steps: [runs(who, MEND), { text: DONE }] },
    { steps: [runs(who, command), { text: DONE }] },
  ]);
  const done = stage.json('run', 'Fix add', '--id', 'j', '--supervisor', 'none', '--agent', who);
  await vi.waitUntil(() => existsSync(inWorkspace(stage, 'begun.txt')), { timeout: LONG_MS });
  return { stage, model, done };
}

const inWorkspace = (stage: JobStage, name: string) => path.join(stage.home, 'jobs/j/workspace', name);
const usedBy = (model: ModelServer) =>
  model.served().reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0);

/** What people have said in the conversation of its last request, and how often it holds the words. */
function lastOf(model: ModelServer): { prompts: number; told: number; replies: number } {
  const { prompts = [], replies = 0 } = model.served().at(-1) ?? {};
  const own = prompts.filter((prompt) => prompt.includes('"job_id"'));
  return { prompts: own.length, told: own.join('\n').split(WORDS).length - 1, replies };
}

/** A crash, and whoever is called off, loses what was used in the last moment and not kept yet. */
async function untilKept(stage: JobStage, model: ModelServer): Promise<void> {
  const file = path.join(stage.home, 'jobs/j/spent/h1.1.json');
  await vi.waitUntil(() => {
    const { inputTokens = 0, outputTokens = 0 } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    return inputTokens + outputTokens === usedBy(model);
  });
}

function expectDone({ status, metrics }: Printed, model: ModelServer): void {
  expect(status).toBe('SUCCESS');
  expect(metrics).toMatchObject({ tokens: usedBy(model) });
}

describe.each(REAL)('%s at work', { timeout: LONG_MS }, (who) => {
  test('hears what it is told in its next turn, once, in the same conversation', async () => {
    const { stage, model, done } = await working(who, WAITS);
    await stage.ok('job', 'tell', 'j', WORDS);
    writeFileSync(inWorkspace(stage, 'go.txt'), '');
    expectDone((await done).printed, model);
    expect(lastOf(model)).toEqual({ prompts: 2, told: 1, replies: expect.any(Number) });
    expect(lastOf(model).replies).toBeGreaterThan(2);
    const history = await stage.history('j');
    expect(history.map(({ response }) => response.action)).toEqual(['RETRY', 'COMPLETED']);
  });

  test('is ended by what cannot wait, and goes on with it in the same conversation', async () => {
    const { stage, model, done } = await working(who, `echo > begun.txt; ${NAP}; rm begun.txt`);
    await untilKept(stage, model);
    expect(alive(NAP)).not.toEqual([]);
    await stage.ok('job', 'tell', 'j', WORDS, '--now');
    await vi.waitUntil(() => alive(NAP).length === 0, { timeout: LONG_MS });
    expectDone((await done).printed, model);
    expect(lastOf(model)).toEqual({ prompts: 2, told: 1, replies: expect.any(Number) });
    const history = await stage.history('j');
    expect(history.map(({ response }) => `${response.status} ${response.action}`)).toEqual([
      'ERROR RETRY',
      'SUCCESS COMPLETED',
    ]);
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });
});

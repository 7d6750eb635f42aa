import { describe, expect, test } from 'vitest';
import type { ModelServer } from '../../src/testing/index.js';
import { DONE, MEND, type RealName, realStage, runs } from './real-stage.js';

const LONG_MS = 180_000;
const WHERE = 'echo I am in $PWD';
const LATER = 'Say it in other words.';
const jobOf = (prompt: string) => /"job_id": "(\w+)"/.exec(prompt)?.[1];

type Last = { of: (string | undefined)[]; replies: number; later: boolean };

/** What a job's last request brought along: whose prompts, oldest first, and how many answers. */
function lastOf(model: ModelServer, job: string): Last {
  const last = model.served().findLast(({ prompts }) => jobOf(prompts.findLast(jobOf) ?? '') === job);
  if (!last) throw new Error(`nobody asked for ${job}`);
  const asked = last.prompts.filter(jobOf);
  return { of: asked.map(jobOf), replies: last.replies, later: asked.some((prompt) => prompt.includes(LATER)) };
}

function elsewhere(model: ModelServer, job: string): string[] {
  const own = model.served().filter(({ prompts }) => jobOf(prompts.findLast(jobOf) ?? '') === job);
  return own.flatMap(({ prompts }) => prompts).filter((prompt) => /\/jobs\/j\//.test(prompt));
}

async function reviewed(who: RealName, rule = 'allow') {
  const { stage, model } = await realStage([
    { when: { prompt: '"job_id": "j"' }, steps: [runs(who, MEND), { text: DONE }] },
    { steps: [runs(who, WHERE), { text: DONE }] },
  ]);
  if (rule === 'ask') await stage.ok('rule', 'add', 'ask', 'git push');
  const { printed } = await stage.json('run', 'Fix add', '--id', 'j', '--agent', who, '--supervisor', 'human');
  expect(printed.status).toBe('REVIEWING');
  return { stage, model, item: String(printed.waiting_for) };
}

const CASES: readonly (readonly [RealName, string])[] = [
  ['codex', 'allow'],
  ['codex', 'ask'],
  ['claude', 'allow'],
];

describe.each(CASES)('a job of %s with a rule to %s', { timeout: LONG_MS }, (who, rule) => {
  test('is forked with a copy of its conversation, and both go on at once without knowing of each other', async () => {
    const { stage, model, item } = await reviewed(who, rule);
    await stage.ok('job', 'fork', 'j', '--id', 'f');
    await stage.ok('answer', item, '--deny', '--text', LATER);
    const both = await Promise.all([stage.json('job', 'run', 'j'), stage.json('job', 'run', 'f')]);
    expect(both.map(({ printed }) => printed.status)).toEqual(['REVIEWING', 'REVIEWING']);
    expect(lastOf(model, 'j')).toMatchObject({ of: ['j', 'j'], later: true });
    expect(lastOf(model, 'f')).toMatchObject({ of: ['j', 'f'], later: false });
    const { out } = await stage.ok('job', 'log', 'f');
    expect(out).toContain('goes on with a copy of the conversation of j');
    expect(out).toMatch(/: I am in .*\/jobs\/f\/workspace\n/);

    expect(elsewhere(model, 'f'), 'nothing leads it to the files of the other').toEqual([]);

    await stage.ok('job', 'fork', 'j', '--id', 'early', '--to', 'p1');
    await stage.ok('job', 'fork', 'j', '--id', 'late');
    for (const id of ['early', 'late']) await stage.json('job', 'run', id);
    expect(lastOf(model, 'early'), 'knows nothing of what was said since').toEqual({
      ...lastOf(model, 'f'),
      of: ['j', 'early'],
    });
    expect(lastOf(model, 'late')).toMatchObject({ of: ['j', 'j', 'late'], later: true });
  });
});

test('a fork of a job of opencode begins a new conversation, in its own folder, and says so', {
  timeout: LONG_MS,
}, async () => {
  const { stage, model } = await reviewed('opencode');
  await stage.ok('job', 'fork', 'j', '--id', 'f');
  await stage.json('job', 'run', 'f');
  expect(lastOf(model, 'f')).toMatchObject({ of: ['f'] });
  const { out } = await stage.ok('job', 'log', 'f');
  expect(out).toContain('begins a new conversation instead of that of j: it would work in the folder of that job');
  expect(out).toMatch(/: I am in .*\/jobs\/f\/workspace\n/);
});

test('a fork of a job that was cleaned begins a new conversation and says so', { timeout: LONG_MS }, async () => {
  const { stage, model } = await reviewed('claude');
  await stage.ok('job', 'fork', 'j', '--id', 'f');
  await stage.ok('job', 'cancel', 'j');
  await stage.ok('job', 'clean', 'j');
  await stage.json('job', 'run', 'f');
  expect(lastOf(model, 'f')).toMatchObject({ of: ['f'] });
  const { out } = await stage.ok('job', 'log', 'f');
  expect(out).toContain('begins a new conversation instead of that of j: it is not there any more');
});

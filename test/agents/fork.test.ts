import { describe, expect, test } from 'vitest';
import type { ModelServer } from '../../src/testing/index.js';
import { DONE, MEND, type RealName, realStage, runs } from './real-stage.js';

const LONG_MS = 180_000;
const LATER = 'Say it in other words.';
const jobOf = (prompt: string) => /"job_id": "(\w+)"/.exec(prompt)?.[1];

/** What a job's last request brought along: whose prompts, oldest first, and how many answers. */
function lastOf(model: ModelServer, job: string): { of: (string | undefined)[]; replies: number; later: boolean } {
  const last = model.served().findLast(({ prompts }) => jobOf(prompts.findLast(jobOf) ?? '') === job);
  if (!last) throw new Error(`nobody asked for ${job}`);
  const asked = last.prompts.filter(jobOf);
  return { of: asked.map(jobOf), replies: last.replies, later: asked.some((prompt) => prompt.includes(LATER)) };
}

const CASES: readonly (readonly [RealName, string])[] = [
  ['codex', 'allow'],
  ['codex', 'ask'],
  ['claude', 'allow'],
];

describe.each(CASES)('a job of %s with a rule to %s', { timeout: LONG_MS }, (who, rule) => {
  async function reviewed() {
    const { stage, model } = await realStage([{ steps: [runs(who, MEND), { text: DONE }] }]);
    if (rule === 'ask') await stage.ok('rule', 'add', 'ask', 'git push');
    const { printed } = await stage.json('run', 'Fix add', '--id', 'j', '--agent', who, '--supervisor', 'human');
    expect(printed.status).toBe('REVIEWING');
    return { stage, model, item: String(printed.waiting_for) };
  }

  test('is forked with a copy of its conversation, and both go on at once without knowing of each other', async () => {
    const { stage, model, item } = await reviewed();
    await stage.ok('job', 'fork', 'j', '--id', 'f');
    await stage.ok('answer', item, '--deny', '--text', LATER);
    const both = await Promise.all([stage.json('job', 'run', 'j'), stage.json('job', 'run', 'f')]);
    expect(both.map(({ printed }) => printed.status)).toEqual(['REVIEWING', 'REVIEWING']);
    expect(lastOf(model, 'j')).toMatchObject({ of: ['j', 'j'], later: true });
    expect(lastOf(model, 'f')).toMatchObject({ of: ['j', 'f'], later: false });
    expect((await stage.ok('job', 'log', 'f')).out).toContain('goes on with a copy of the conversation of j');

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

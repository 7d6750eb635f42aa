import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JobStage } from '../jobs/job-stage.js';
import { DONE, MEND, realStage, runs } from './real-stage.js';

const LONG_MS = 120_000;
const PUSHES = `echo pushed >> pushed.txt && ${MEND}`;
const WORDS = ['--id', 'j', '--agent', 'claude', '--supervisor', 'none', '--check', 'node test/add.test.js'];

async function asking(mode = 'bwrap') {
  const { stage, model } = await realStage([{ steps: [runs('claude', PUSHES), { text: DONE }] }], { sandbox: { mode } });
  if (mode === 'bwrap') await stage.ok('rule', 'add', 'ask', 'echo');
  const run = await stage.json('run', 'Fix add', ...WORDS);
  return { stage, model, run };
}

const pushed = (stage: JobStage) => {
  const file = path.join(stage.home, 'jobs/j/workspace/pushed.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

describe.each(['bwrap', 'none'])('Claude Code asks whether it may, in the sandbox %s', { timeout: LONG_MS }, (mode) => {
  test('and nothing runs until a person says yes; then exactly that, once', async () => {
    const { stage, run } = await asking(mode);
    expect([run.exit, run.printed.status, run.printed.waiting_for]).toEqual([3, 'RUNNING', 1]);
    expect(pushed(stage)).toBe('');
    const { items } = (await stage.json('inbox')).printed as { items: Record<string, unknown>[] };
    expect(items).toMatchObject([{ kind: 'exec_approval', question: PUSHES, details: { command: PUSHES } }]);
    await stage.ok('answer', '1', '--approve');
    const { exit, printed } = await stage.json('job', 'run', 'j');
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    expect(pushed(stage)).toBe('pushed\n');
  });

  test('and when a person says no it is told so and goes on', async () => {
    const { stage } = await asking(mode);
    await stage.ok('answer', '1', '--deny', '--guidance', 'not today');
    const { printed } = await stage.json('job', 'run', 'j');
    expect(printed.status).not.toBe('SUCCESS');
    expect(pushed(stage)).toBe('');
    expect((await stage.ok('job', 'log', 'j')).out).toContain('not today');
  });
});

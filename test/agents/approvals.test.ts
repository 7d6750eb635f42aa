import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBaton } from '../../src/wiring.js';
import type { JobStage } from '../jobs/job-stage.js';
import { CLAUDE } from './real-agents.js';
import { DONE, MEND, REAL, type RealName, realStage, runs } from './real-stage.js';

const LONG_MS = 120_000;
const PUSHES = `echo pushed >> pushed.txt && ${MEND}`;
const WORDS = ['--id', 'j', '--supervisor', 'none', '--check', 'node test/add.test.js'];

async function asking(who: RealName, mode: string) {
  const steps = [runs(who, PUSHES), { text: DONE }];
  const { stage, model } = await realStage([{ steps }], { sandbox: { mode } });
  if (mode === 'bwrap') await stage.ok('rule', 'add', 'ask', 'echo');
  const run = await stage.json('run', 'Fix add', '--agent', who, ...WORDS);
  return { stage, model, run };
}

const pushed = (stage: JobStage) => {
  const file = path.join(stage.home, 'jobs/j/workspace/pushed.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/**
 * Outside of our sandbox Codex runs commands in its own, which now and then does not start; the check turns that try
 * down, and the next one asks anew.
 */
async function goneOn(stage: JobStage, item = 2) {
  const run = await stage.json('job', 'run', 'j');
  if (run.printed.waiting_for !== item || item > 3) return run;
  expect(pushed(stage), 'what was allowed did not run').toBe('');
  await stage.ok('answer', String(item), '--approve');
  return goneOn(stage, item + 1);
}

const CASES = REAL.flatMap((who) => ['bwrap', 'none'].map((mode) => [who, mode] as const));

describe.each(CASES)('%s asks whether it may, in the sandbox %s', { timeout: LONG_MS }, (who, mode) => {
  test('and nothing runs until a person says yes; then exactly that, once', async () => {
    const { stage, run } = await asking(who, mode);
    expect([run.exit, run.printed.status, run.printed.waiting_for]).toEqual([3, 'RUNNING', 1]);
    expect(pushed(stage)).toBe('');
    const { items } = (await stage.json('inbox')).printed as { items: Record<string, unknown>[] };
    expect(items).toMatchObject([{ kind: 'exec_approval', question: PUSHES, details: { command: PUSHES } }]);
    await stage.ok('answer', '1', '--approve');
    const { exit, printed } = await goneOn(stage);
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    expect(pushed(stage)).toBe('pushed\n');
  });

  test('and when a person says no it is told so and goes on', async () => {
    const { stage } = await asking(who, mode);
    await stage.ok('answer', '1', '--deny', '--guidance', 'not today');
    const { printed } = await stage.json('job', 'run', 'j');
    expect(printed.status).not.toBe('SUCCESS');
    expect(pushed(stage)).toBe('');
    expect((await stage.ok('job', 'log', 'j')).out).toContain('not today');
  });
});

test('an agent that was let out of the sandbox is held by nothing, so a person decides', {
  timeout: LONG_MS,
}, async () => {
  const { stage } = await realStage([{ steps: [runs('claude', PUSHES), { text: DONE }] }]);
  const free = ['--adapter', 'claude', '--bin', CLAUDE, '--login', 'key', '--sandbox', 'danger-full-access'];
  await stage.ok('agent', 'register', 'free', ...free);
  const { exit, printed } = await stage.json('run', 'Fix add', '--agent', 'free', ...WORDS);
  expect([exit, printed.status, printed.waiting_for]).toEqual([3, 'RUNNING', 1]);
  expect(pushed(stage)).toBe('');
});

describe('an answer', { timeout: LONG_MS }, () => {
  test('for always makes the narrowest rule there is, and the next time nothing is asked', async () => {
    const installs = `npm install --help >/dev/null && ${MEND}`;
    const steps = [runs('claude', installs), { text: DONE }];
    const { stage } = await realStage([{ steps }], { sandbox: { mode: 'bwrap' } });
    await stage.ok('rule', 'add', 'ask', 'npm');
    await stage.json('run', 'Fix add', '--agent', 'claude', ...WORDS);
    const wide = await stage.cli('answer', '1', '--approve', '--always', '--for', '7d');
    expect([wide.code, wide.err]).toEqual([1, expect.stringContaining('RULE_TOO_WIDE')]);
    expect((await stage.json('inbox')).printed.items).toHaveLength(1);
  });

  test('does not keep from the agent what it was told while its question waited', async () => {
    const told = { when: { prompt: 'USE TABS' }, steps: [runs('claude', `touch tabs && ${MEND}`), { text: DONE }] };
    const { stage } = await realStage([told, { steps: [runs('claude', PUSHES), { text: DONE }] }]);
    await stage.ok('rule', 'add', 'ask', 'echo');
    await stage.json('run', 'Fix add', '--agent', 'claude', ...WORDS);
    await stage.ok('job', 'tell', 'j', 'USE TABS');
    await stage.ok('answer', '1', '--approve');
    const { printed } = await stage.json('job', 'run', 'j');
    expect([printed.status, pushed(stage)]).toEqual(['SUCCESS', 'pushed\n']);
    expect(existsSync(path.join(stage.home, 'jobs/j/workspace/tabs'))).toBe(true);
  });

  test('comes once: whoever answers again, or at the same time, is told so', async () => {
    const { stage } = await asking('claude', 'bwrap');
    const both = await Promise.all([stage.cli('answer', '1', '--deny'), stage.cli('answer', '1', '--approve')]);
    const [late] = both.filter(({ code }) => code !== 0);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(late?.err).toMatch(/ITEM_CLOSED|INVALID_TRANSITION/);
    const again = await stage.cli('answer', '1', '--approve');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('ITEM_CLOSED')]);
  });

  test.each([
    ['canceled', ['job', 'cancel', 'j']],
    ['run again', ['job', 'rerun', 'j']],
  ])('comes too late for a job that was %s meanwhile', async (_, words) => {
    const { stage } = await asking('codex', 'bwrap');
    await stage.ok(...words);
    const late = await stage.cli('answer', '1', '--approve');
    expect([late.code, late.err]).toEqual([1, expect.stringContaining('ITEM_CLOSED')]);
    expect((await stage.json('inbox')).printed.items).toEqual([]);
  });

  test('is for the item that was read, not for what was asked since', async () => {
    const steps = [runs('codex', 'echo one >>one.txt'), runs('codex', `echo two >>two.txt && ${MEND}`), { text: DONE }];
    const { stage } = await realStage([{ steps }]);
    await stage.ok('rule', 'add', 'ask', 'echo');
    await stage.json('run', 'Fix add', '--agent', 'codex', ...WORDS);
    const baton = await openBaton({ home: stage.home, env: { PATH: stage.path }, cwd: stage.repo, writer: 'main' });
    onTestFinished(() => baton.close());
    const read = await baton.inbox.item(1);
    await stage.ok('answer', '1', '--approve');
    expect((await stage.json('job', 'run', 'j')).printed.waiting_for).toBe(2);
    await expect(baton.inbox.answer(read, { decision: 'approve' }, { actor: 'anna' })).rejects.toMatchObject({
      code: 'ITEM_CLOSED',
    });
    expect((await baton.inbox.item(2)).answeredAt).toBe(null);
  });
});

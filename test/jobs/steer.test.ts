import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 60_000;

/** Says what it was told, when it is let. The first call waits for the file `go` unless it is ended. */
const LISTENS = `
printf '%s' "$REQUEST" > "$BATON_WORKSPACE/../../../asked.$(basename "$BATON_HANDOFF").json"
case "$REQUEST" in
  *'"guidance":[]'*) while [ ! -e "$BATON_WORKSPACE/../../../go" ]; do sleep 0.05; done ;;
esac
${prints(ANSWERS.completed)}`;

async function working(): Promise<{ stage: JobStage; asked: Promise<void>; done: Promise<{ code: number }> }> {
  const stage = new JobStage();
  await stage.shell('worker', LISTENS);
  const done = stage.cli('run', 'Work', '--id', 'j', '--agent', 'worker', '--supervisor', 'none');
  return { stage, asked: untilThere(path.join(stage.home, 'asked.1.json')), done };
}

async function untilThere(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('an agent that works', { timeout: LONG_MS }, () => {
  test('hears what it is told before its work counts as done', async () => {
    const { stage, asked, done } = await working();
    await asked;
    await stage.ok('job', 'tell', 'j', 'use tenant b');
    writeFileSync(path.join(stage.home, 'go'), '');
    expect((await done).code).toBe(0);
    const history = await stage.history('j');
    expect(history.map(({ response }) => `${response.action} ${response.new_status}`)).toEqual([
      'RETRY PENDING',
      'COMPLETED SUCCESS',
    ]);
    expect(JSON.parse(history[1]?.request.prompt ?? '').metadata.guidance).toEqual(['use tenant b']);
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });

  test('begins anew when that cannot wait, with all its processes ended and no try counted', async () => {
    const { stage, asked, done } = await working();
    await asked;
    await stage.ok('job', 'tell', 'j', 'stop that', '--now');
    expect((await done).code).toBe(0);
    const history = await stage.history('j');
    expect(history.map(({ handoff, response }) => `${handoff} ${response.status} ${response.action}`)).toEqual([
      'j/h1 ERROR RETRY',
      'j/h2 SUCCESS COMPLETED',
    ]);
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });

  test('is not told anything once it waits for a person: guidance is given with what sends it on', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', [{ answer: ANSWERS.stuck }]);
    await stage.cli('run', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'none');
    const told = await stage.json('job', 'tell', 'j', 'go on');
    expect(told.printed).toMatchObject({ code: 'INVALID_TRANSITION', details: { status: 'INTERVENTION_REQUIRED' } });
    expect((await stage.cli('job', 'tell', 'j', ' ')).code).toBe(2);
  });
});

describe('a person as an agent', { timeout: LONG_MS }, () => {
  test('finds their turn in the inbox, is not hurried, and answers from there', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', [{ answer: ANSWERS.completed }]);
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'human');
    expect([run.exit, run.printed.status]).toEqual([3, 'REVIEWING']);
    const item = String(run.printed.waiting_for);
    expect((await stage.json('inbox', item)).printed).toMatchObject({
      title: 'your turn: supervisor-review',
      details: { agent: 'human', words: ANSWERS.completed.summary_for_supervisor },
    });
    expect((await stage.cli('answer', item, '--raise', '5')).code).toBe(2);
    expect((await stage.json('answer', item, '--deny', '--text', 'The test is missing.')).exit).toBe(0);
    expect((await stage.json('answer', item, '--approve')).printed.code).toBe('ITEM_CLOSED');
    const again = await stage.json('job', 'run', 'j');
    expect([again.exit, again.printed.status]).toEqual([3, 'REVIEWING']);
    await stage.ok('answer', String(again.printed.waiting_for), '--approve', '--text', 'Seen.');
    expect((await stage.json('job', 'run', 'j')).printed).toMatchObject({ status: 'SUCCESS', waiting_for: null });
    const history = await stage.history('j');
    expect(history.map(({ response }) => response.action)).toEqual(['COMPLETED', 'RETRY', 'COMPLETED', 'COMPLETED']);
    expect(history[1]?.response.execution_time_seconds).toBe(0);
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });

  test('who cancels the job closes the item', async () => {
    const stage = new JobStage();
    await stage.json('run', 'Work', '--id', 'j', '--agent', 'human', '--supervisor', 'none');
    await stage.ok('job', 'cancel', 'j');
    expect((await stage.json('inbox')).printed).toEqual({ items: [], next: null });
  });
});

describe('whoever is at the terminal', { timeout: LONG_MS }, () => {
  test('is asked in place, and the job goes on', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', [{ answer: ANSWERS.stuck, times: 1 }, { answer: ANSWERS.completed }]);
    const typed = ['x', 'g', 'use tenant b', 'd', 'y'];
    const run = await stage.typing(
      typed,
      ...['run', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'none', '--approve'],
    );
    expect([run.code, run.err]).toEqual([0, expect.stringContaining('SUCCESS (unchecked)')]);
    expect(run.err).toContain(`"${ANSWERS.stuck.summary_for_supervisor}" (words of agent)`);
    expect(JSON.parse((await stage.history('j'))[1]?.request.prompt ?? '').metadata.guidance).toContain('use tenant b');
  });

  test('reads in the inbox who has said what, and what a check has printed', async () => {
    const stage = new JobStage();
    await stage.scripted('worker', [{ answer: ANSWERS.completed }]);
    await stage.shell('reviewer', 'exit 1');
    const words = ['run', 'Work', '--agent', 'worker', '--supervisor', 'reviewer'];
    await stage.cli(...words, '--id', 'reviewed', '--no-input');
    const check = "sh -c 'echo first; echo expected 1 got 2; exit 1'";
    await stage.cli(...words, '--id', 'checked', '--check', check, '--no-input');
    const [reviewed, checked] = await Promise.all(['1', '2'].map(async (item) => (await stage.ok('inbox', item)).out));
    expect(reviewed).toMatch(/ by reviewer \(supervisor-review, try \d\)/);
    expect(reviewed).toContain(`"${ANSWERS.completed.summary_for_supervisor}" (words of worker)`);
    expect(reviewed).not.toContain('as it came');
    expect(checked).toMatch(
      / check +sh -c echo first; echo expected 1 got 2; exit 1, exit 1\n +first\n +expected 1 got 2\n/,
    );
  });

  test('may leave it for later, or not be asked at all', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', [{ answer: ANSWERS.stuck }]);
    const words = ['run', 'Work', '--agent', 'agent', '--supervisor', 'none'];
    expect(await stage.typing(['l'], ...words)).toMatchObject({ code: 3 });
    const silent = await stage.typing(['g', 'never read'], ...words, '--no-input');
    expect([silent.code, silent.err.includes('? ')]).toEqual([3, false]);
  });

  test('raises a limit in place', async () => {
    const stage = new JobStage();
    const paid = { ...ANSWERS.retry, x_usage: { input_tokens: 1, output_tokens: 1, cost_usd: 2 } };
    await stage.scripted('agent', [{ answer: paid, times: 1 }, { answer: ANSWERS.completed }]);
    const words = ['run', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'none', '--max-cost', '1'];
    const { code, err } = await stage.typing(['r', 'much', 'r', '1', 'r', '10'], ...words);
    expect([code, err.match(/Refused: .*/g)]).toEqual([
      0,
      [expect.stringContaining('SCHEMA_INVALID'), expect.stringContaining('LIMIT_TOO_LOW')],
    ]);
    expect((await stage.json('job', 'show', 'j')).printed.status).toBe('SUCCESS');
  });
});

test('an answer by hand is tried without being recorded', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  await stage.scripted('agent', [{ answer: ANSWERS.stuck }]);
  await stage.ok('job', 'create', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'none', '--activate');
  const file = path.join(stage.folder, 'answer.json');
  const tried = async (answer: object | string) => {
    writeFileSync(file, typeof answer === 'string' ? answer : JSON.stringify(answer));
    return stage.json('job', 'poststep', 'j', '--role', 'Worker', '--response-file', file, '--dry-run');
  };
  expect((await tried(ANSWERS.completed)).printed.status).toBe('SUCCESS');
  expect((await tried(ANSWERS.stuck)).printed.status).toBe('INTERVENTION_REQUIRED');
  expect((await tried('no object')).printed.reason).toMatch(/not one JSON object/);
  const wrong = await stage.json('job', 'poststep', 'j', '--role', 'Other', '--response-file', file, '--dry-run');
  expect(wrong.printed.code).toBe('NON_COMPLIANT');
  expect((await stage.json('job', 'show', 'j')).printed).toMatchObject({ status: 'PENDING', handoff: 'h1' });
  expect(await stage.history('j')).toEqual([]);
});

test('the workspace of a job is found', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  await stage.scripted('agent', [{ answer: ANSWERS.completed }]);
  await stage.ok('job', 'create', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'none', '--activate');
  expect((await stage.json('job', 'open', 'j')).printed.code).toBe('INVALID_TRANSITION');
  await stage.ok('job', 'run', 'j');
  const { out } = await stage.ok('job', 'open', 'j');
  expect(readFileSync(path.join(out.trim(), 'add.js'), 'utf8')).toBe(stage.file('add.js'));
});

test('what an agent prints while it works is followed, and kept without secrets', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  const key = `sk-ant-${'a1b2'.repeat(8)}`;
  const slow = `echo "looking at add.js" >&2; echo "key ${key}" >&2; sleep 0.5; printf 'no line end' >&2`;
  await stage.shell('worker', `${slow}\n${prints(ANSWERS.completed)}`);
  const done = stage.cli('run', 'Work', '--id', 'j', '--agent', 'worker', '--supervisor', 'none');
  await untilThere(path.join(stage.home, 'jobs/j/log/h1.1.txt'));
  const followed = await stage.ok('job', 'log', 'j', '-f');
  await done;
  expect(followed.out).toMatch(/HandoffAsked[\s\S]* {2}: looking at add\.js\n[\s\S]*status="SUCCESS"/);
  const { out } = await stage.ok('job', 'log', 'j');
  expect(out).toContain('  : no line end');
  expect(out + followed.out).not.toContain(key);
});

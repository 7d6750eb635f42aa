import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 180_000;
const FIXES = `sed -i 's/a - b/a + b/' add.js\n${prints({ ...ANSWERS.completed, evidence_files: ['add.js'] })}`;
const CHECK = ['--check', 'node test/add.test.js'];

describe('a job on a real repository', { timeout: LONG_MS }, () => {
  test('goes from a failing test to SUCCESS, sent back once by its supervisor, and lands [R083, R088]', async () => {
    const stage = new JobStage();
    await stage.shell('worker', FIXES);
    await stage.scripted('boss', [
      { when: { role: 'Supervisor' }, answer: ANSWERS.retry, times: 1 },
      { when: { role: 'Supervisor' }, answer: ANSWERS.completed },
    ]);
    const before = stage.checkout();
    const run = await stage.json('run', 'Fix add', '--id', 'j', '--agent', 'worker', '--supervisor', 'boss', ...CHECK);
    expect([run.exit, run.printed.status, run.printed.branch]).toEqual([0, 'SUCCESS', 'baton/j']);
    expect(stage.checkout(), 'nothing but landing touches the checkout').toBe(before);
    const history = await stage.history('j');
    expect(history.map(({ response }) => [response.action, response.new_status])).toEqual([
      ['COMPLETED', 'REVIEWING'],
      ['RETRY', 'PENDING'],
      ['COMPLETED', 'REVIEWING'],
      ['COMPLETED', 'SUCCESS'],
    ]);
    expect((await stage.cli('job', 'land', 'j')).code).toBe(0);
    expect([stage.file('add.js'), stage.git('status', '--porcelain')]).toEqual([
      'exports.add = (a, b) => a + b;\n',
      '',
    ]);
    expect(stage.git('log', '-1', '--format=%(trailers:key=Baton-Job,valueonly)')).toBe('j');
  });

  test('turns a false COMPLETED into RETRY, three times, then calls a person', async () => {
    const stage = new JobStage();
    await stage.shell('liar', prints(ANSWERS.completed));
    const run = await stage.json('run', 'Fix add', '--id', 'j', '--agent', 'liar', ...CHECK);
    expect([run.exit, run.printed.status]).toEqual([3, 'INTERVENTION_REQUIRED']);
    expect((await stage.history('j')).map(({ response }) => response.action)).toEqual(['RETRY', 'RETRY', 'RETRY']);
    const { printed } = await stage.json('inbox');
    expect(printed.items).toEqual([expect.objectContaining({ run_id: 'j', kind: 'intervention', status: 'open' })]);
  });

  test('does not let an agent delete the test that fails', async () => {
    const stage = new JobStage();
    const removed = { ...ANSWERS.completed, evidence_files: [] };
    await stage.shell('vandal', `rm test/add.test.js\n${prints(removed)}`);
    const honest = ['--agent', 'vandal', ...CHECK, '--protect', 'test/**'];
    const run = await stage.json('run', 'Fix add', '--id', 'j', ...honest);
    // The check runs with the test as the base has it, so it fails as before.
    expect([run.exit, (await stage.history('j')).map(({ response }) => response.action)]).toEqual([
      3,
      ['RETRY', 'RETRY', 'RETRY'],
    ]);
    await stage.shell('sly', `rm test/add.test.js\n${FIXES}`);
    const sly = await stage.json('run', 'Fix add', '--id', 'k', '--agent', 'sly', ...CHECK, '--protect', 'test/**');
    expect([sly.exit, sly.printed.status, sly.printed.reason]).toEqual([
      3,
      'INTERVENTION_REQUIRED',
      'protected files were changed',
    ]);
    const item = String(sly.printed.waiting_for);
    expect((await stage.json('answer', item, '--approve')).printed.status).toBe('SUCCESS');
    expect((await stage.json('answer', item, '--approve')).printed.code).toBe('ITEM_CLOSED');
  });

  test('without a repository works in an empty folder', async () => {
    const stage = new JobStage();
    await stage.shell(
      'writer',
      `echo hello > note.txt\n${prints({ ...ANSWERS.completed, evidence_files: ['note.txt'] })}`,
    );
    const options = ['--id', 'j', '--agent', 'writer', '--repo', stage.folder];
    const refused = await stage.json('run', 'Write', ...options);
    expect(refused.printed.status, 'a folder that is no repository is said, not guessed').toBe('INTERVENTION_REQUIRED');
  });
});

test('files of a job are beside its workspace, and what they say replays [R066, R105, R106]', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  await stage.shell('worker', FIXES);
  await stage.ok('run', 'Fix add', '--id', 'j', '--agent', 'worker', ...CHECK);
  const folder = path.join(stage.home, 'jobs/j');
  const files = ['job_manifest.json', 'jobHistory.json', 'latest-outcome.json'];
  expect(files.map((file) => existsSync(path.join(folder, file)))).toEqual([true, true, true]);
  expect((await stage.cli('job', 'replay', path.join(folder, 'jobHistory.json'))).code).toBe(0);
  // As a process leaves them that is killed just after the last commit.
  writeFileSync(path.join(folder, 'latest-outcome.json'), '{"status":"RUNNING"}');
  await stage.ok('job', 'run');
  expect(JSON.parse(readFileSync(path.join(folder, 'latest-outcome.json'), 'utf8')).status).toBe('SUCCESS');
});

test('baton.json is used once somebody agreed to it, and flags win', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  await stage.shell('worker', FIXES);
  stage.write(
    'baton.json',
    JSON.stringify({ agent: 'worker', checks: ['node test/add.test.js'], limits: { cost_usd: 1 } }),
  );
  const dry = async (...more: string[]) =>
    (await stage.json('run', 'Fix', '--agent', 'worker', '--dry-run', ...more)).printed;
  expect((await dry()).checks, 'not yet').toBe(undefined);
  await stage.ok('trust');
  expect(await dry('--max-cost', '3')).toMatchObject({
    checks: [['node', 'test/add.test.js']],
    limits: { cost_usd: 3, time_minutes: 60 },
    project_file: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  stage.write('baton.json', JSON.stringify({ checks: ['rm -rf /'] }));
  expect((await dry()).checks, 'a change asks again').toBe(undefined);
  stage.write('baton.json', '{"checks": 5}');
  expect((await stage.json('run', 'Fix', '--agent', 'worker')).printed.code).toBe('CONFIG_INVALID');
});

test('LAST is the newest job of the repository one stands in', { timeout: LONG_MS }, async () => {
  const [here, elsewhere] = [new JobStage(), new JobStage()];
  await here.scripted('agent', []);
  await here.ok('job', 'create', 'Here', '--id', 'mine', '--agent', 'agent');
  await here.ok('job', 'create', 'There', '--id', 'other', '--agent', 'agent', '--repo', elsewhere.repo);
  expect((await here.json('job', 'show', 'LAST')).printed.job_id).toBe('mine');
});

test('without a terminal a run tells one line for each event: when, which run, what', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  await stage.shell('worker', FIXES);
  const { err } = await stage.ok('run', 'Fix add', '--id', 'j', '--agent', 'worker', ...CHECK);
  const [events = ''] = err.split('\n\n');
  for (const line of events.split('\n')) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z j [A-Z]\w+( \w+=.+)*$/);
  expect(events).toMatch(/ j HandoffAsked handoff="h1" /);
});

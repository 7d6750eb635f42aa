import { existsSync, lstatSync, renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 180_000;
const DONE = prints({ ...ANSWERS.completed, evidence_files: ['work.txt'] });
const WORKS = `echo done > work.txt\n${DONE}`;

/** The first time something happens, then never again. */
const once = (stage: JobStage, what: string): string =>
  `if [ ! -e ${stage.folder}/happened ]; then touch ${stage.folder}/happened\n${what}\nfi`;

async function rests(stage: JobStage, ...argv: string[]): Promise<string> {
  const { exit, printed } = await stage.json(...argv);
  expect([exit, printed.status]).toEqual([3, 'INTERVENTION_REQUIRED']);
  return String(printed.reason);
}

async function goesOn(stage: JobStage): Promise<void> {
  await stage.ok('job', 'resubmit', 'j');
  expect((await stage.json('job', 'run', 'j')).printed).toMatchObject({ status: 'SUCCESS' });
  expect(stage.git('show', 'baton/j:work.txt')).toBe('done');
  const replayed = await stage.cli('job', 'replay', 'j');
  expect([replayed.code, replayed.err]).toEqual([0, '']);
}

describe('a workspace that is taken away', { timeout: LONG_MS }, () => {
  const cases: [what: string, how: string][] = [
    ['deleted while the agent works', 'rm -rf "$PWD"'],
    ['replaced by a link while the agent works', 'rm -rf "$PWD"; ln -s REPO "$PWD"'],
    ['deleted with all that Baton keeps beside it', 'rm -rf "$(dirname "$PWD")"'],
  ];
  test.each(cases)('%s is said, and made again when the job goes on', async (_, how) => {
    const stage = new JobStage();
    const gone = how.replace('REPO', stage.repo);
    await stage.shell('agent', `${once(stage, `${gone}; cd ${stage.folder}`)}\necho done > work.txt\n${DONE}`);
    const before = stage.checkout();
    expect(await rests(stage, 'run', 'Work', '--id', 'j', '--agent', 'agent')).toMatch(/folder of the workspace/);
    expect((await stage.history('j')).map(({ response }) => [response.status, response.action])).toEqual([
      ['ERROR', 'STUCK'],
    ]);
    await goesOn(stage);
    expect(stage.checkout()).toBe(before);
  });

  test('while a person is waited for is made again with what was done', async () => {
    const stage = new JobStage();
    await stage.shell('agent', `${once(stage, `echo first > first.txt\n${prints(ANSWERS.stuck)}\nexit 0`)}\n${WORKS}`);
    expect(await rests(stage, 'run', 'Work', '--id', 'j', '--agent', 'agent')).toMatch(/STUCK/);
    const workspace = path.join(stage.home, 'jobs/j/workspace');
    renameSync(workspace, path.join(stage.folder, 'away'));
    await stage.ok('job', 'resubmit', 'j');
    expect(await rests(stage, 'job', 'run', 'j')).toMatch(/there is no folder/);
    await goesOn(stage);
    expect(stage.git('show', 'baton/j:first.txt')).toBe('first');
    expect(existsSync(path.join(workspace, '.git/HEAD')), 'the agent has a repository again').toBe(true);
  });

  test('before its files are rolled back', async () => {
    const stage = new JobStage();
    await stage.shell('agent', WORKS);
    await stage.scripted('boss', [{ answer: ANSWERS.stuck, times: 1 }, { answer: ANSWERS.completed }]);
    await rests(stage, 'run', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'boss');
    const workspace = path.join(stage.home, 'jobs/j/workspace');
    renameSync(workspace, path.join(stage.folder, 'away'));
    await stage.ok('job', 'rollback', 'j', '--to', 'p1');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
    expect(lstatSync(path.join(workspace, '.git')).isDirectory()).toBe(true);
  });
});

describe('a repository of the user that is gone', { timeout: LONG_MS }, () => {
  const away = (stage: JobStage) => path.join(stage.folder, 'away');
  const back = (stage: JobStage) => renameSync(away(stage), stage.repo);

  test('when an answer is collected is said, and the job goes on when it is back', async () => {
    const stage = new JobStage();
    await stage.shell('agent', `${once(stage, `mv ${stage.repo} ${away(stage)}`)}\n${WORKS}`);
    const before = stage.checkout();
    const reason = await rests(stage, 'run', 'Work', '--id', 'j', '--agent', 'agent');
    expect(reason).toContain(`The repository ${stage.repo}/.git is gone. Put it back. Then resubmit`);
    await stage.ok('job', 'resubmit', 'j');
    expect(await rests(stage, 'job', 'run', 'j'), 'still gone').toMatch(/no folder/);
    back(stage);
    await goesOn(stage);
    expect(stage.checkout()).toBe(before);
  });

  test('when work is proven', async () => {
    const stage = new JobStage();
    await stage.shell('agent', WORKS);
    const check = `sh -c 'mv ${stage.repo} ${away(stage)}; exit 1'`;
    const reason = await rests(stage, 'run', 'Work', '--id', 'j', '--agent', 'agent', '--check', check);
    expect(reason).toMatch(/repository .* is gone/);
    back(stage);
    expect((await stage.history('j')).length).toBeGreaterThan(0);
  });

  test('when the job is landed', async () => {
    const stage = new JobStage();
    await stage.shell('agent', WORKS);
    await stage.ok('run', 'Work', '--id', 'j', '--agent', 'agent');
    renameSync(stage.repo, away(stage));
    const land = await stage.json('job', 'land', 'j');
    expect([land.exit, land.printed.status, land.printed.outcome]).toMatchObject([
      1,
      'refused',
      { reason: expect.stringContaining(`There is no folder ${stage.repo}`) },
    ]);
    back(stage);
    expect((await stage.json('job', 'land', 'j')).exit).toBe(0);
    expect(stage.file('work.txt')).toBe('done\n');
  });
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 60_000;

/** Counts how often it was run, and makes what the script says. */
function installer(stage: JobStage, makes: string): string {
  const file = path.join(stage.folder, 'install.sh');
  writeFileSync(file, `echo run >> ${stage.folder}/runs\n${makes}\n`);
  return `sh ${file}`;
}

function runs(stage: JobStage): number {
  return readFileSync(path.join(stage.folder, 'runs'), 'utf8').trim().split('\n').length;
}

async function stageWith(files: Record<string, string>): Promise<JobStage> {
  const stage = new JobStage();
  await stage.scripted('agent', [{ answer: ANSWERS.completed }]);
  for (const [name, text] of Object.entries(files)) stage.write(name, text);
  stage.commit('files');
  return stage;
}

const run = (stage: JobStage, id: string, setup: string) =>
  stage.ok('run', 'Work', '--id', id, '--agent', 'agent', '--supervisor', 'none', '--setup', setup);

describe('a setup command', { timeout: LONG_MS }, () => {
  test('is run once for one lockfile, and its work is there in every job', async () => {
    const stage = await stageWith({
      'package-lock.json': '1',
      '.gitignore': 'node_modules\n.env\n',
      '.worktreeinclude': '.env\n',
    });
    stage.write('.env', 'A=b\n');
    const setup = installer(
      stage,
      'mkdir -p node_modules/.bin && echo hi > node_modules/a.js && ln -s ../a.js node_modules/.bin/a',
    );
    await run(stage, 'one', setup);
    const said = await run(stage, 'two', setup);
    expect(runs(stage)).toBe(1);
    expect(said.err).toContain('taken from an earlier job with the same lockfile');
    const workspace = path.join(stage.home, 'jobs/two/workspace');
    expect(readFileSync(path.join(workspace, 'node_modules/.bin/a'), 'utf8')).toBe('hi\n');
    const [cached = ''] = readdirSync(path.join(stage.home, 'cache/setup'));
    expect(readdirSync(path.join(stage.home, 'cache/setup', cached))).toEqual(['node_modules']);
    stage.write('package-lock.json', '2');
    stage.commit('another lockfile');
    await run(stage, 'three', setup);
    expect(runs(stage)).toBe(2);
  });

  test.each([
    ['without a lockfile', { '.gitignore': 'out\n' }, 'mkdir -p out && echo hi > out/a'],
    [
      'when it makes what is not ignored',
      { 'go.sum': '1', '.gitignore': 'out\n' },
      'mkdir -p out && echo hi > out/a; echo x > new',
    ],
    ['when it names its place', { 'uv.lock': '1', '.gitignore': 'out\n' }, 'mkdir -p out && pwd > out/a'],
  ])('is run for every job %s', async (_, files, makes) => {
    const stage = await stageWith(files);
    const setup = installer(stage, makes);
    await run(stage, 'one', setup);
    await run(stage, 'two', setup);
    expect(runs(stage)).toBe(2);
  });
});

test('the disk of ended jobs is freed, and no work is lost', { timeout: LONG_MS }, async () => {
  const stage = await stageWith({ 'README.md': 'x' });
  await stage.shell('worker', `echo new > new.txt\n${prints({ ...ANSWERS.completed, evidence_files: ['new.txt'] })}`);
  const make = (id: string) => stage.ok('run', 'Work', '--id', id, '--agent', 'worker', '--supervisor', 'none');
  await make('landed');
  await make('unmerged');
  await stage.ok('job', 'land', 'landed');
  const { out } = await stage.ok('job', 'clean', '--json');
  expect(JSON.parse(out).items).toEqual([
    { job_id: 'unmerged', removed: true, kept: expect.stringContaining('baton/unmerged') },
    { job_id: 'landed', removed: true, kept: null },
  ]);
  expect(stage.git('show', 'baton/unmerged:new.txt')).toBe('new');
  expect(stage.git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe(
    'refs/heads/baton/unmerged\nrefs/heads/main',
  );
  await stage.scripted('stuck', [{ answer: ANSWERS.stuck }]);
  await stage.cli('run', 'Work', '--id', 'k', '--agent', 'stuck', '--supervisor', 'none');
  expect((await stage.json('job', 'clean', 'k')).printed.code).toBe('INVALID_TRANSITION');
});

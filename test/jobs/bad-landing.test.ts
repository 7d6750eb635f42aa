import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';
import { noSmallDisk, SmallDisk } from './small-disk.js';

const BIN = path.resolve(import.meta.dirname, '../../bin/baton.cjs');
const LONG_MS = 180_000;
const LARGE = `head -c 3000000 /dev/urandom > large.bin\n${prints({ ...ANSWERS.completed, evidence_files: ['large.bin'] })}`;

describe('a landing that is killed while it moves the files of the user', { timeout: LONG_MS }, () => {
  /** Some files are written at once, one never: a filter of the user makes git wait. */
  async function killed(stage: JobStage): Promise<void> {
    stage.write('.gitattributes', 'slow.txt filter=slow\n');
    stage.commit('attributes');
    const changes = [
      'echo new > add.js',
      'mkdir fresh',
      'echo a > fresh/a.txt',
      'rm test/add.test.js',
      'echo s > slow.txt',
    ];
    await stage.shell('agent', `${changes.join('\n')}\n${prints(ANSWERS.completed)}`);
    await stage.ok('run', 'Work', '--id', 'j', '--agent', 'agent');
    const reached = path.join(stage.folder, 'reached');
    stage.git('config', 'filter.slow.smudge', `sh -c 'touch ${reached}; sleep 300.1234'`);
    const env = { BATON_HOME: stage.home, PATH: process.env.PATH };
    const landing = spawn(process.execPath, [BIN, 'job', 'land', 'j'], { cwd: stage.repo, env, stdio: 'ignore' });
    const ended = once(landing, 'exit');
    while (!existsSync(reached)) await new Promise((resolve) => setTimeout(resolve, 20));
    landing.kill('SIGKILL');
    await ended;
    stage.git('config', '--unset', 'filter.slow.smudge');
    expect(existsSync(path.join(stage.repo, '.git/index.lock')), 'it was in the middle').toBe(true);
  }

  test('is gone on with by whoever lands next, and leaves nothing half', async () => {
    const stage = new JobStage();
    await killed(stage);
    expect((await stage.json('job', 'land', 'j')).printed.status).toBe('landed');
    expect(stage.git('status', '--porcelain')).toBe('');
    expect([stage.file('add.js'), stage.file('fresh/a.txt'), stage.file('slow.txt')]).toEqual(['new\n', 'a\n', 's\n']);
    expect(existsSync(path.join(stage.repo, '.git/index.baton'))).toBe(false);
  });

  test('is not taken back over what the user wrote since', async () => {
    const stage = new JobStage();
    await killed(stage);
    const head = stage.git('rev-parse', 'HEAD');
    stage.write('add.js', 'mine\n');
    const refused = await stage.json('job', 'land', 'j');
    expect([refused.exit, refused.printed.outcome]).toMatchObject([1, { reason: expect.stringContaining('add.js') }]);
    expect([stage.file('add.js'), stage.git('rev-parse', 'HEAD')]).toEqual(['mine\n', head]);
    stage.git('checkout', head, '--', 'add.js');
    expect((await stage.json('job', 'land', 'j')).printed.status).toBe('landed');
    expect(stage.git('status', '--porcelain')).toBe('');
  });
});

/** Without the stat data in the index, which a copied disk has anew. */
const seen = (stage: JobStage): string[] => [
  stage.git('--no-optional-locks', 'status', '--porcelain'),
  stage.git('rev-parse', 'HEAD'),
];

describe.skipIf(noSmallDisk)('a disk that is full', { timeout: LONG_MS }, () => {
  test('while landing leaves the tree as it was, and lands when there is space', async () => {
    const stage = new JobStage();
    await stage.shell('agent', `echo new > add.js\n${LARGE}`);
    const disk = new SmallDisk(stage.repo, '5m');
    await stage.ok('run', 'Work', '--id', 'j', '--agent', 'agent');
    const before = seen(stage);
    const land = await stage.json('job', 'land', 'j');
    expect([land.exit, land.printed.outcome]).toMatchObject([1, { reason: expect.stringContaining('no space left') }]);
    expect([seen(stage), stage.file('add.js')]).toEqual([before, 'exports.add = (a, b) => a - b;\n']);
    disk.grow('20m');
    expect((await stage.json('job', 'land', 'j')).printed.status).toBe('landed');
    expect(stage.git('status', '--porcelain')).toBe('');
  });

  test('while collecting calls a person, and the job goes on when there is space', async () => {
    const stage = new JobStage();
    await stage.shell('agent', LARGE);
    const disk = new SmallDisk(stage.repo, '2m');
    const before = seen(stage);
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent');
    expect([run.exit, run.printed.status, run.printed.reason]).toEqual([
      3,
      'INTERVENTION_REQUIRED',
      expect.stringContaining('Free some. Then resubmit'),
    ]);
    expect(await stage.history('j')).toMatchObject([{ response: { status: 'ERROR', action: 'STUCK' } }]);
    expect(seen(stage)).toEqual(before);
    disk.grow('20m');
    await stage.ok('job', 'resubmit', 'j');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });
});

test.skipIf(noSmallDisk)(
  'a disk of Baton itself that an agent filled is said, and the job goes on when there is space',
  {
    timeout: LONG_MS,
  },
  async () => {
    const stage = new JobStage();
    const fill = `if [ ! -e ${stage.folder}/filled ]; then touch ${stage.folder}/filled; head -c 60000000 /dev/zero > fill.bin; fi`;
    await stage.shell('agent', `${fill}\n${prints(ANSWERS.completed)}`);
    const disk = new SmallDisk(stage.home, '6m');
    const full = await stage.cli('run', 'Work', '--id', 'j', '--agent', 'agent');
    expect([full.code, full.err]).toEqual([1, expect.stringContaining('STORE_FULL')]);
    rmSync(path.join(stage.home, 'jobs/j/workspace/fill.bin'));
    disk.grow('20m');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
    const history = await stage.history('j');
    expect(history.map(({ sequence }) => sequence)).toEqual(history.map((_, index) => index));
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  },
);

test('a file that was only touched is not in the way of a landing', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  await stage.shell('agent', `echo new > add.js\n${prints(ANSWERS.completed)}`);
  await stage.ok('run', 'Work', '--id', 'j', '--agent', 'agent');
  utimesSync(path.join(stage.repo, 'add.js'), 1, 1);
  expect((await stage.json('job', 'land', 'j')).printed.status).toBe('landed');
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 180_000;
const RUN = ['run', 'Work', '--id', 'j', '--agent', 'agent'];
const GOOD = `echo done > work.txt\n${prints({ ...ANSWERS.completed, evidence_files: ['work.txt'] })}`;

describe('what an agent leaves in its workspace', { timeout: LONG_MS }, () => {
  test.each<[what: string, script: string]>([
    ['a pipe', 'mkfifo pipe'],
    ['a pipe in the place of a file', 'rm add.js; mkfifo add.js'],
    ['links that lead in circles', 'ln -s b a; ln -s a b; mkdir c; ln -s ../c c/d'],
    ['a link out', 'ln -s /etc/passwd out; ln -s / root'],
    [
      'names that are too long for a path',
      'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do mkdir $(printf "%0200d" $i) && cd $(printf "%0200d" $i); done; echo x > deep.txt; cd "$BACK"',
    ],
    ['a name of 255 bytes', 'echo x > $(printf "%0255d" 1)'],
    ['names with line breaks, quotes and escapes', 'printf x > "$(printf "a\\nb\\"\\033[2J")"'],
    ['a folder that nobody may read', 'mkdir closed; echo x > closed/x; chmod 000 closed'],
    ['a file of many gigabytes', 'truncate -s 50G huge.bin'],
    ['no repository any more', 'rm -rf .git'],
    ['a repository that is somebody else’s', 'rm -rf .git; echo "gitdir: $REPO/.git" > .git'],
    ['a repository that is broken', 'echo garbage > .git/HEAD; rm -rf .git/objects; echo "[" > .git/config'],
    ['a thousand repositories', 'for i in $(seq 60); do git init -q r$i; echo x > r$i/x; done'],
    [
      'another branch, checked out',
      'git checkout -q -b mine; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x',
    ],
    ['locks', 'touch .git/index.lock .git/HEAD.lock'],
  ])('%s: the rest is kept', async (_, script) => {
    const stage = new JobStage();
    await stage.shell('agent', `BACK="$PWD"; REPO=${stage.repo}\n${script}\n${GOOD}`);
    const before = stage.checkout();
    const run = await stage.json(...RUN, '--check', 'test -f work.txt');
    expect([run.printed.status, run.printed.reason]).toEqual(['SUCCESS', null]);
    expect(stage.git('show', 'baton/j:work.txt')).toBe('done');
    expect(stage.checkout()).toBe(before);
    execFileSync('chmod', ['-R', 'u+rwx', path.join(stage.home, 'jobs')], { stdio: 'ignore' });
  });
});

const LONG = 'x'.repeat(1_025);
const ATTACKS = [
  '../outside.txt',
  '/etc/passwd',
  '~/x',
  'a/../../x',
  'C:/x',
  'file:///etc/passwd',
  '.git/config',
  '.GIT/config',
  'a\\b',
  '%2e%2e/x',
  'x\u0000y',
  'x\u202ey',
  'work.txt.',
  'work.txt ',
  ' ',
  '',
  LONG,
  `${'y'.repeat(256)}`,
  '/proc/self/environ',
  'loop',
  'out',
  'folder-out/passwd',
  'hard',
  'pipe',
  '../workspace-sibling/x',
];

describe('a path', { timeout: LONG_MS }, () => {
  test('of evidence that leads out is never opened, in any form', async () => {
    const stage = new JobStage();
    const plant =
      'ln -s loop loop; ln -s /etc/passwd out; ln -s /etc folder-out; ln /etc/hostname hard 2>/dev/null || ln "$0" hard 2>/dev/null || ln -s x hard; mkfifo pipe; echo x > work.txt';
    const list = path.join(stage.folder, 'attacks.json');
    const answers = ATTACKS.map((file) => JSON.stringify({ ...ANSWERS.completed, evidence_files: ['work.txt', file] }));
    writeFileSync(list, JSON.stringify(answers));
    const next = `const fs = require("fs"); const f = "${stage.folder}/n"; let n = 0; try { n = +fs.readFileSync(f) } catch {} fs.writeFileSync(f, String(n + 1)); process.stdout.write(JSON.parse(fs.readFileSync("${list}", "utf8"))[n])`;
    await stage.shell('agent', `[ -e work.txt ] || { ${plant}; }\nnode -e '${next}'`);
    const before = stage.checkout();
    await stage.json(...RUN);
    const seen: [string, string][] = [];
    for (const [index, file] of ATTACKS.entries()) {
      if (index > 0) {
        await stage.ok('job', 'resubmit', 'j');
        await stage.json('job', 'run', 'j');
      }
      const { printed } = await stage.json('job', 'show', 'j');
      seen.push([file.slice(0, 40), String(printed.status)]);
      const last = (await stage.history('j')).at(-1);
      const cause = String((last?.x_attempt as { cause: string } | undefined)?.cause);
      expect([file.slice(0, 40), ['path', 'schema'].includes(cause)]).toEqual([file.slice(0, 40), true]);
    }
    expect(seen.map(([, status]) => status)).toEqual(ATTACKS.map(() => 'INTERVENTION_REQUIRED'));
    expect(stage.checkout()).toBe(before);
  });

  test('of a file to roll back that leads out is refused, and nothing moves', async () => {
    const stage = new JobStage();
    await stage.shell('agent', `echo one > one.txt; echo two > two.txt\n${prints(ANSWERS.completed)}`);
    await stage.scripted('boss', [{ answer: ANSWERS.stuck }]);
    await stage.json(...RUN, '--supervisor', 'boss');
    const events = async () => (await stage.cli('events', '--run', 'j', '--json')).out;
    const before = await events();
    for (const file of ATTACKS.slice(0, 19)) {
      const { printed } = await stage.json('job', 'rollback', 'j', '--to', 'p1', `--file=${file}`);
      expect([file.slice(0, 40), printed.code]).toEqual([file.slice(0, 40), 'PATH_REFUSED']);
    }
    expect(await events()).toBe(before);
    const workspace = path.join(stage.home, 'jobs/j/workspace');
    for (const name of ['one.txt', 'two.txt']) writeFileSync(path.join(workspace, name), 'changed\n');
    await stage.ok('job', 'rollback', 'j', '--to', 'p1', '--file', 'one.txt');
    await stage.json('job', 'step', 'j');
    const read = (name: string) => execFileSync('cat', [path.join(workspace, name)], { encoding: 'utf8' });
    expect([read('one.txt'), read('two.txt')], 'only the named one').toEqual(['one\n', 'changed\n']);
  });

  test('of a rollback through a link that an agent planted writes nothing outside', async () => {
    const stage = new JobStage();
    await stage.shell('agent', `mkdir -p dir; echo mine > dir/file.txt\n${prints(ANSWERS.completed)}`);
    await stage.scripted('boss', [{ answer: ANSWERS.stuck }]);
    await stage.json(...RUN, '--supervisor', 'boss');
    const outside = path.join(stage.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'file.txt'), 'untouched\n');
    const dir = path.join(stage.home, 'jobs/j/workspace/dir');
    execFileSync('rm', ['-rf', dir]);
    symlinkSync(outside, dir);
    await stage.ok('job', 'rollback', 'j', '--to', 'p1');
    await stage.json('job', 'step', 'j');
    expect(execFileSync('cat', [path.join(outside, 'file.txt')], { encoding: 'utf8' })).toBe('untouched\n');
    expect(execFileSync('cat', [path.join(dir, 'file.txt')], { encoding: 'utf8' })).toBe('mine\n');
  });
});

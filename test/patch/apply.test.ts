import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPlan } from '../../src/session/patch/apply-plan.js';
import { type PatchPlan, pathsOf } from '../../src/session/patch/patch-plan.js';
import { planPatch } from '../../src/session/patch/plan-patch.js';
import { buildProgram, createStage, runProgram, type Stage } from './stage.js';
import { readTree } from './tree.js';

const isRoot = process.getuid?.() === 0;
/** Nobody's: for what root would be allowed. */
const OTHER = 65_534;

let here: Stage;
beforeEach(() => {
  here = createStage();
});
afterEach(() => here.close());

describe('what changed between plan and apply refuses everything', () => {
  const changes: [what: string, change: (at: Stage['at']) => void, because: string][] = [
    ['another content', (at) => writeFileSync(at('run.sh'), 'echo three\n'), 'run.sh has changed since'],
    ['a removed file', (at) => rmSync(at('run.sh')), 'run.sh has changed since'],
    ['the file to be removed is another', (at) => writeFileSync(at('d/gone.txt'), 'x'), 'gone.txt has changed since'],
    ['a file where one is added', (at) => write(at('new/deep/b.txt'), 'mine\n'), 'b.txt has changed since'],
    ['a file where one moves to', (at) => write(at('new/moved.txt'), 'mine\n'), 'moved.txt has changed since'],
    ['a folder where a file is added', (at) => mkdirSync(at('new/moved.txt'), { recursive: true }), 'is a folder'],
    ['a file where a folder is made', (at) => writeFileSync(at('new'), ''), 'lies below what is no folder'],
    ['a link in place of the file', (at) => swapForLink(at('run.sh')), 'leads through a link'],
    ['a link in place of its folder', (at) => swapForLink(at('d')), 'leads through a link'],
    ['a link where a folder is made', (at) => symlinkSync('../outside', at('new')), 'leads through a link'],
    ['a pipe in place of the file', (at) => swapForPipe(at('run.sh')), 'is not a regular file'],
    ['a second name of the file', (at) => execFileSync('ln', [at('run.sh'), at('second')]), 'hard link'],
  ];

  test.each(changes)('%s', async (_, change, because) => {
    const plan = await here.plan();
    mkdirSync(path.join(here.root, 'outside'));
    change(here.at);
    const untouched = readTree(here.root);
    const outcome = await applyPlan(plan, { cwd: here.cwd });
    expect(outcome).toMatchObject({ applied: false, reason: expect.stringContaining(because) });
    expect(readTree(here.root)).toEqual(untouched);
  });

  test('but another mode is kept', async () => {
    const plan = await here.plan();
    chmodSync(here.at('a.txt'), 0o600);
    expect(await applyPlan(plan, { cwd: here.cwd })).toEqual({ applied: true });
    expect(lstatSync(here.at('a.txt')).mode & 0o777).toBe(0o600);
  });

  test('and what is already as planned is done', async () => {
    const plan = await here.plan();
    writeFileSync(here.at('a.txt'), 'one\nTWO\nthree\n');
    rmSync(here.at('d/gone.txt'));
    rmSync(here.at('d/moves.txt'));
    expect(await applyPlan(plan, { cwd: here.cwd })).toEqual({ applied: true });
    expect(here.tree()).toEqual(here.after);
  });
});

function write(place: string, text: string): void {
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/** The same bytes by way of a link. */
function swapForLink(place: string): void {
  renameSync(place, `${place}.real`);
  symlinkSync(`${place}.real`, place);
}

function swapForPipe(place: string): void {
  rmSync(place);
  execFileSync('mkfifo', [place]);
}

describe('a plan', () => {
  const one = (changes: Partial<PatchPlan['files'][number]>, { files: [first] }: PatchPlan): PatchPlan => ({
    files: first ? [{ ...first, ...changes }] : [],
    changes: {},
  });

  test.each([
    ['upwards', () => `${here.cwd}/../outside.txt`, 'leads upwards'],
    ['outside', () => path.join(here.root, 'outside.txt'), 'lies outside'],
    ['into control files', () => here.at('.git/config'), 'control files'],
    ['with a NUL', () => here.at('a\0b'), 'control or direction character'],
  ])('that leads %s is not applied', async (_, place, because) => {
    const plan = one({ path: place(), before: null }, await here.plan());
    const outcome = await applyPlan(plan, { cwd: here.cwd });
    expect(outcome).toMatchObject({ applied: false, reason: expect.stringContaining(because) });
    expect(here.tree()).toEqual(here.before);
  });

  test('whose content is not what its hash says is not applied', async () => {
    const plan = one({ content: 'something else\n' }, await here.plan());
    expect(await applyPlan(plan, { cwd: here.cwd })).toMatchObject({ applied: false });
    expect(here.tree()).toEqual(here.before);
  });

  test('names every file that it touches', async () => {
    const names = ['a.txt', 'new/deep/b.txt', 'd/gone.txt', 'new/moved.txt', 'd/moves.txt', 'run.sh'];
    expect(pathsOf(await here.plan())).toEqual(names.map(here.at));
  });

  test('shows what will change, by the names in the patch', async () => {
    expect((await here.plan()).changes).toEqual({
      'a.txt': { type: 'update', unified_diff: '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n', move_path: null },
      'new/deep/b.txt': { type: 'add', content: 'b\n' },
      'd/gone.txt': { type: 'delete', content: 'gone\n' },
      'd/moves.txt': {
        type: 'update',
        unified_diff: '@@ -1,2 +1,2 @@\n stays\n-changes\n+changed\n',
        move_path: 'new/moved.txt',
      },
      'run.sh': { type: 'update', unified_diff: '@@ -1,1 +1,1 @@\n-echo one\n+echo two\n', move_path: null },
    });
  });

  test('reaches beside the working folder only where the caller says so, both times', async () => {
    const other = path.join(here.root, 'other');
    mkdirSync(other);
    const text = `*** Begin Patch\n*** Add File: ${other}/x.txt\n+x\n*** End Patch`;
    expect(await planPatch({ text, cwd: here.cwd })).toMatchObject({ fault: expect.stringContaining('lies outside') });
    const plan = await planPatch({ text, cwd: here.cwd, roots: [other] });
    if ('fault' in plan) throw new Error(plan.fault);
    expect(await applyPlan(plan, { cwd: here.cwd })).toMatchObject({ applied: false });
    expect(readTree(other)).toEqual({});
    expect(await applyPlan(plan, { cwd: here.cwd, roots: [other] })).toEqual({ applied: true });
    expect(Object.keys(readTree(other))).toEqual(['x.txt']);
  });

  test('in a folder that is reached through a link is refused, also when that was put there after planning', async () => {
    const byLink = path.join(here.root, 'by-link');
    symlinkSync(here.cwd, byLink);
    const text = `*** Begin Patch\n*** Delete File: a.txt\n*** End Patch`;
    expect(await planPatch({ text, cwd: byLink })).toMatchObject({ fault: expect.stringContaining('through a link') });
    const plan = await here.plan();
    renameSync(here.cwd, `${here.cwd}.real`);
    symlinkSync(`${here.cwd}.real`, here.cwd);
    expect(await applyPlan(plan, { cwd: here.cwd })).toMatchObject({ applied: false });
    expect(here.tree()).toHaveProperty(['a.txt']);
  });

  test('in a working folder that is not there, or not absolute, is refused', async () => {
    const plan = await here.plan();
    for (const cwd of [path.join(here.root, 'nowhere'), 'relative']) {
      expect(await applyPlan(plan, { cwd })).toMatchObject({ applied: false });
      expect(await planPatch({ text: '*** Begin Patch\n*** Add File: x\n*** End Patch', cwd })).toHaveProperty('fault');
    }
  });
});

describe('what the system refuses', () => {
  const asOther = isRoot ? { uid: OTHER } : {};

  function giveAway(): void {
    if (isRoot) execFileSync('chown', ['-R', `${OTHER}:${OTHER}`, here.cwd]);
  }

  test('a folder that cannot be written to: nothing is changed anywhere', async () => {
    const plan = await here.plan();
    const program = await buildProgram(here, { mortal: false });
    giveAway();
    chmodSync(here.at('d'), 0o555);
    const untouched = here.tree();
    const { said } = runProgram(program, here, plan, asOther);
    expect(said).toMatchObject({ applied: false, reason: expect.stringMatching(/EACCES/) });
    expect(here.tree()).toEqual(untouched);
    chmodSync(here.at('d'), 0o755);
  });

  test.skipIf(!isRoot)('a file that may not be replaced, after others have been: they are put back', async () => {
    const plan = await here.plan();
    const program = await buildProgram(here, { mortal: false });
    giveAway();
    // Everybody may make files here, but only root may rename this one: it fails in the middle.
    chownSync(here.cwd, 0, 0);
    chmodSync(here.cwd, 0o1777);
    chownSync(here.at('run.sh'), 0, 0);
    const untouched = here.tree();
    const { said } = runProgram(program, here, plan, asOther);
    expect(said).toMatchObject({
      applied: false,
      reason: expect.stringMatching(/run\.sh could not be written \(EPERM\)/),
    });
    expect(here.tree()).toEqual(untouched);
  });

  test.skipIf(!isRoot)('root does not take files away from their owner', async () => {
    giveAway();
    expect(await applyPlan(await here.plan(), { cwd: here.cwd })).toEqual({ applied: true });
    expect(lstatSync(here.at('a.txt')).uid).toBe(OTHER);
  });
});

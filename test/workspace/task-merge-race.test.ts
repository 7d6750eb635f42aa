/** The user and other processes act on the branch of a ledger in every moment of a merge. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Merge } from '../../src/core/task/task-deeds.js';
import { interruptedGate } from './mortal-gate.js';
import { BRANCH, LEDGER, TaskStage } from './task-stage.js';

vi.setConfig({ testTimeout: 120_000 });

let stage: TaskStage;
beforeEach(() => {
  stage = new TaskStage().commitFirst() as TaskStage;
});
afterEach(() => stage.clear());

const STEPS_MAX = 16;
const at = (task_id: string, file: string) =>
  stage.attempt(stage.spec({ task_id, lock_scope: [file] }), { [file]: `${task_id}\n` });
const subjects = (): string[] => stage.git('log', '--format=%s', BRANCH).split('\n');

/** Before each of its processes once, always from the same beginning. */
async function inEveryMoment(act: () => void, holds: (moment: string, acted: boolean) => void): Promise<void> {
  const first = await at('T-1', 'src/b.txt');
  await stage.merged(first);
  const tip = stage.git('rev-parse', BRANCH);
  const later = await at('T-2', 'a.txt');
  const { gate } = stage;
  let moments = 0;
  for (let step = 1; step <= STEPS_MAX; step += 1) {
    for (const ref of [`refs/heads/${BRANCH}`, `refs/baton/${LEDGER}/head`]) stage.git('update-ref', ref, tip);
    let acted = false;
    const now = (): void => {
      acted = true;
      act();
    };
    stage.extra = { gate: interruptedGate(gate, step, now) };
    const [merged] = await stage.merged(later);
    stage.extra = { gate };
    holds(`before process ${step}`, acted);
    moments += acted ? 1 : 0;
    const commit = merged && 'commit' in merged ? merged.commit : '';
    expect(stage.git('for-each-ref', '--contains', commit), 'what was told can be found').not.toBe('');
    await stage.merged(first, later);
    expect(subjects(), 'and done again it is whole').toEqual(expect.arrayContaining(['Task T-2', 'first']));
  }
  expect(moments, 'there were such moments').toBeGreaterThan(5);
}

test('the user commits on it: both are there', async () => {
  await inEveryMoment(
    () => {
      const mine = stage.git('commit-tree', `${BRANCH}^{tree}`, '-p', BRANCH, '-m', 'mine');
      stage.git('update-ref', `refs/heads/${BRANCH}`, mine);
    },
    (moment, acted) => {
      const all = ['Task T-1', 'Task T-2', 'first', ...(acted ? ['mine'] : [])];
      expect(subjects().toSorted(), moment).toEqual(all);
    },
  );
});

test('the user deletes it: it is there again, or was deleted after all', async () => {
  await inEveryMoment(
    () => stage.git('update-ref', '-d', `refs/heads/${BRANCH}`),
    () => {},
  );
});

test('two processes that merge at once lose nothing and do nothing twice', async () => {
  const merges = [await at('T-1', 'src/b.txt'), await at('T-2', 'a.txt'), await at('T-3', 'c.txt')];
  const { repo, home, environment } = stage;
  const program = path.join(stage.root, 'program.mjs');
  const entryPoints = [path.join(import.meta.dirname, 'merge-program.ts')];
  buildSync({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm', external: ['yaml'] });
  const run = (some: Merge[]) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      child.on('error', reject).on('close', () => resolve(out));
      child.stdin.end(JSON.stringify({ repo, home, environment, merges: some }));
    });
  const said = await Promise.all([run(merges), run([...merges].reverse()), run(merges)]);
  for (const one of said) expect(JSON.parse(one).merged).toHaveLength(3);
  expect(subjects().toSorted()).toEqual(['Task T-1', 'Task T-2', 'Task T-3', 'first']);
});

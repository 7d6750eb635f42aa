/** Baton dies before or in any process that a deed of a task starts, and another one does the deed again. */
import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { removeFolder } from '../../src/workspace/remove-folder.js';
import { mortalGate } from './mortal-gate.js';
import { LEDGER, TaskStage } from './task-stage.js';

vi.setConfig({ testTimeout: 300_000 });

let stage: TaskStage;
beforeEach(() => {
  stage = new TaskStage().commitFirst() as TaskStage;
});
afterEach(() => stage.clear());

async function survives(deed: () => Promise<unknown>, undo: () => void): Promise<void> {
  const expected = await deed();
  const { gate } = stage;
  for (const killed of [false, true]) {
    for (let steps = 0, died = true; died; steps += killed ? 3 : 1) {
      undo();
      stage.extra = { gate: mortalGate(gate, steps, killed) };
      died = await deed().then(
        () => false,
        () => true,
      );
      stage.extra = { gate };
      makeLocksOld();
      expect(await deed(), `after ${steps} processes`).toEqual(expected);
    }
  }
}

/** As when somebody comes back later. */
function makeLocksOld(): void {
  const refs = path.join(stage.repo, '.git/refs');
  for (const name of readdirSync(refs, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.lock')) utimesSync(path.join(refs, name), 1, 1);
  }
}

test('prepare', async () => {
  const spec = stage.spec({ lock_scope: ['src', 'new.ts', 'tool'] });
  await survives(
    () => stage.begin(spec, { worklog: stage.entry() }),
    () => {
      removeFolder(path.join(stage.home, 'jobs'));
      for (const name of ['base', 'head']) stage.git('update-ref', '-d', `refs/baton/${LEDGER}/${name}`);
    },
  );
  expect((await stage.hand(spec)).changed.files).toBe(0);
});

test('collect', async () => {
  const spec = stage.spec();
  await stage.begun(spec);
  stage.work('src/b.txt', 'changed\n');
  stage.work('worklogs/T-1.jsonl', `${stage.read('worklogs/T-1.jsonl')}${stage.entry()}\n`);
  await survives(
    async () => {
      const { commit, ...read } = await stage.hand(spec);
      // Its time is that of the try that made it.
      return {
        ...read,
        tree: stage.git('rev-parse', `${commit}^{tree}`),
        parents: stage.git('log', '-1', '--format=%P', commit ?? ''),
      };
    },
    () => {
      stage.gitIn(
        path.join(stage.workspace, '../git'),
        'update-ref',
        `refs/heads/baton/${stage.run}`,
        stage.place.base ?? '',
      );
      stage.git('update-ref', '-d', `refs/baton/${stage.run}/head`);
    },
  );
});

test("locks that a killed git left in what is the attempt's own", async () => {
  const spec = stage.spec();
  await stage.begun(spec);
  stage.work('src/b.txt', 'changed\n');
  stage.put(path.join(stage.workspace, '../git/index.lock'), '');
  stage.put(path.join(stage.repo, `.git/refs/baton/${stage.run}/head.lock`), '');
  expect((await stage.hand(spec)).outcome).toEqual({ status: 'done' });
});

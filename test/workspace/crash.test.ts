/**
 * Baton dies at any moment and another one does the deed again from its beginning. First deterministically: before each
 * process a deed starts, and while each of them runs. Then for real, with SIGKILL at growing delays.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endTree } from '../../src/sandbox/end-tree.js';
import { cleanUp } from '../../src/workspace/clean-up.js';
import { landJob } from '../../src/workspace/land.js';
import { mortalGate } from './mortal-gate.js';
import { RUN, Stage } from './stage.js';

const STEPS_MAX = 60;
/** Looking at every moment takes minutes: BATON_FAULTS=all npx vitest run test/workspace/crash.test.ts. */
const EVERY = process.env.BATON_FAULTS === 'all' ? 1 : 5;
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

let here: Stage;
beforeEach(() => {
  here = new Stage().commitFirst();
});
afterEach(() => here.clear());

async function survives(
  deed: () => Promise<unknown>,
  holds: (result: unknown) => void,
  undo: () => Promise<void>,
): Promise<void> {
  const { gate } = here;
  const expected = await deed();
  holds(expected);
  for (const killed of [false, true]) {
    for (let steps = 0; steps < STEPS_MAX; steps += killed ? 4 * EVERY : EVERY) {
      await undo();
      here.extra = { ...here.extra, gate: mortalGate(gate, steps, killed) };
      const died = await deed().then(
        () => false,
        () => true,
      );
      here.extra = { ...here.extra, gate };
      holds(await deed());
      if (!died) break;
      expect(steps, 'a deed has an end').toBeLessThan(STEPS_MAX - 4);
    }
  }
}

describe('a deed that dies anywhere is done again:', () => {
  test('prepare', async () => {
    here.write('a.txt', 'dirty\n');
    here.write('.worktreeinclude', '.env\n');
    here.write('.env', 'x');
    const before = here.fingerprint();
    await survives(
      () => here.ready({ dirty: true, setup: ['sh', '-c', 'echo once >> setup.log'], paths: ['src', 'a.txt'] }),
      (result) => {
        expect(result).toMatchObject({ branch: `baton/${RUN}`, leftOut: 0 });
        expect([here.read('a.txt'), here.read('.env'), here.read('setup.log')]).toEqual(['dirty\n', 'x', 'once\n']);
        expect(here.gitIn(here.workspace, 'status', '--porcelain')).toBe('');
        expect(here.git('log', '--format=%s', `baton/${RUN}`).split('\n')).toHaveLength(2);
        expect(here.fingerprint()).toEqual(before);
      },
      async () => {
        rmSync(path.join(here.home, 'jobs'), { recursive: true });
        const refs = here.git('for-each-ref', '--format=delete %(refname)', 'refs/baton', 'refs/heads/baton');
        for (const line of refs.split('\n')) here.git('update-ref', '-d', line.slice('delete '.length));
      },
    );
  });

  test('collect', async () => {
    await here.ready();
    let round = 0;
    here.work('a.txt', 'round 0\n');
    here.work('new.txt', 'round 0\n');
    await survives(
      () => here.collect(['a.txt'], `ask-${round}`),
      (result) => {
        expect(result).toMatchObject({ fault: null, changed: { files: 2, added: 2 }, unnamed: ['new.txt'] });
        expect(here.git('log', '--format=%H', `HEAD..baton/${RUN}`).split('\n')).toHaveLength(round + 1);
        expect(here.git('rev-parse', `baton/${RUN}`)).toBe((result as { commit: string }).commit);
      },
      async () => {
        round += 1;
        here.work('a.txt', `round ${round}\n`);
        here.work('new.txt', `round ${round}\n`);
      },
    );
  });

  test('restore', async () => {
    await here.ready();
    here.work('a.txt', 'good\n');
    const { commit } = await here.collect();
    let round = 0;
    const spoil = async () => {
      round += 1;
      here.work('a.txt', 'bad\n');
      here.work('extra.txt', 'bad\n');
    };
    await spoil();
    await survives(
      () => here.restore(commit ?? '', [], `restore-${round}`),
      (result) => {
        expect(result).toEqual({ restored: 2, problem: null });
        expect([here.read('a.txt'), here.has('extra.txt')]).toEqual(['good\n', false]);
        expect(here.git('show', `baton/${RUN}^:extra.txt`)).toBe('bad');
      },
      spoil,
    );
  });

  test('check', async () => {
    await here.ready();
    here.work('src/b.txt', 'changed\n');
    here.work('node_modules/x', 'x');
    await here.collect();
    await survives(
      () =>
        here.check(
          [
            ['grep', 'two', 'src/b.txt'],
            ['test', '-e', 'node_modules/x'],
          ],
          ['src/**'],
        ),
      (result) => {
        expect(result).toMatchObject({
          results: [{ exitCode: 0 }, { exitCode: 0 }],
          protectedChanged: ['src/b.txt'],
          guidance: null,
        });
        expect([here.read('src/b.txt'), here.read('node_modules/x')]).toEqual(['changed\n', 'x']);
      },
      async () => {},
    );
  });

  test('clean up', async () => {
    let round = 0;
    const begin = async () => {
      here.run = `job-${round++}`;
      await here.ready();
      here.work('left.txt', 'left\n');
    };
    await begin();
    await survives(
      () => cleanUp({ ...here.options, held: here.held, signal: here.abort.signal }),
      (result) => {
        expect(result).toMatchObject({ removed: true });
        expect(here.git('show', `baton/${here.run}:left.txt`)).toBe('left');
      },
      begin,
    );
  });
});

describe('landing that dies anywhere', () => {
  test('lands when it is done again, and leaves nothing half', async () => {
    await here.ready();
    here.work('a.txt', 'work\n');
    await here.collect();
    const land = () =>
      landJob({
        ...here.options,
        held: here.held,
        job: here.run,
        signal: here.abort.signal,
        repo: here.repo,
        checks: [['true']],
      });
    const { gate } = here;
    const seen = new Set<string>();
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      here.extra = { gate: mortalGate(gate, steps, false) };
      const died = await land().then(
        () => false,
        () => true,
      );
      here.extra = { gate };
      if (!died) break;
      seen.add(here.git('--no-optional-locks', 'status', '--porcelain') === '' ? 'nothing moved' : 'files moved');
    }
    expect([...seen].sort()).toEqual(['files moved', 'nothing moved']);
    expect(await land()).toMatchObject({ type: 'landed' });
    expect(here.git('status', '--porcelain')).toBe('');
    expect(here.git('show', 'HEAD:a.txt')).toBe('work');
  });
});

describe('killed for real', () => {
  const FILES = 1_000;
  const DELAYS_MS = [100, 250, 450, 800];

  async function killAfter(delayMs: number, deed: object): Promise<void> {
    const orders = path.join(here.root, 'orders.json');
    writeFileSync(
      orders,
      JSON.stringify({ home: here.home, repo: here.repo, environment: here.environment, scope: here.scope, deed }),
    );
    const child: ChildProcess = spawn(process.execPath, [path.join(here.root, 'program.mjs'), orders], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout) await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    child.kill('SIGKILL');
    await ended;
    // As the next owner does before it begins.
    await endTree({ scope: here.scope, run: RUN }, { graceMs: 0 });
  }

  test('in the middle of prepare and collect', async () => {
    buildSync({
      entryPoints: [path.join(import.meta.dirname, 'crash-program.ts')],
      outfile: path.join(here.root, 'program.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    for (let file = 0; file < FILES; file++) here.write(`many/${file % 50}/${file}.txt`, `${file}\n`);
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'many');
    const repository = { folder: here.repo, base: null, dirty: false, paths: [] };
    const prepare = {
      key: 'workspace',
      deed: 'job.prepare',
      input: { repository, setup: null, env: [], forkedFrom: null },
    };
    for (const delayMs of DELAYS_MS) await killAfter(delayMs, prepare);
    await here.ready();
    expect(here.gitIn(here.workspace, 'status', '--porcelain')).toBe('');
    expect(readdirSync(path.join(here.workspace, 'many'))).toHaveLength(50);

    const answer = JSON.stringify({ action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' });
    for (const [round, delayMs] of DELAYS_MS.entries()) {
      for (let file = 0; file < FILES; file++) here.work(`many/${file % 50}/${file}.txt`, `${file} ${round}\n`);
      const handoff = `ask-${round}`;
      const input = {
        workspace: here.place,
        answer: here.store(answer),
        handoff,
        phase: 'implementation',
        exact: false,
      };
      await killAfter(delayMs, { key: `collect-${handoff}.1`, deed: 'job.collect', input, answer });
      expect(await here.collect([], handoff)).toMatchObject({
        changed: { files: FILES, added: FILES, removed: FILES },
      });
      expect(here.git('log', '--format=%H', `HEAD..baton/${RUN}`).split('\n')).toHaveLength(round + 1);
    }
    expect(here.git('fsck', '--no-dangling')).toBe('');
    expect(here.git('--no-optional-locks', 'status', '--porcelain')).toBe('');
  });
});

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endTree } from '../../../src/sandbox/end-tree.js';
import { type GatedProcess, spawnGated } from '../../../src/sandbox/spawn-gated.js';
import { PATH, Playground, pause, until } from './playground.js';

/** Longer than the watch takes to look twice. */
const SEEN_MS = 700;

let here: Playground;
beforeEach(() => {
  here = new Playground();
});
afterEach(() => here.clear());

async function napping(child: GatedProcess, count: number): Promise<void> {
  await until(`${count} nap`, () => here.survivors().filter(({ command }) => command === here.nap).length >= count);
  expect(here.survivors().length, 'somebody is there to be ended').toBeGreaterThanOrEqual(count);
  expect(await here.table.list({ run: here.run })).toMatchObject([{ pid: child.pid }]);
}

async function abortEndsAll(child: GatedProcess): Promise<void> {
  here.abort.abort();
  const end = await child.ended;
  expect(here.survivors()).toEqual([]);
  expect(end).toMatchObject({ aborted: true, remaining: [], rowKept: false });
  expect(await here.table.list({ run: here.run })).toEqual([]);
}

describe('an abort ends', () => {
  const families: [what: string, naps: number, script: (nap: string) => string][] = [
    ['a child', 1, (nap) => `exec ${nap}`],
    ['a grandchild', 1, (nap) => `${nap}; true`],
    ['a grandchild in a process group of its own', 2, (nap) => `set -m; ${nap} & ${nap} & wait`],
    ['a grandchild in a session of its own', 1, (nap) => `setsid ${nap} & wait`],
    ['a daemon that forked twice', 2, (nap) => `(setsid sh -c '${nap} & exec ${nap}' &) ; sleep 600`],
    ['a child started with nohup in the background', 1, (nap) => `nohup ${nap} >/dev/null 2>&1 & wait`],
    ['a child that ignores SIGTERM', 1, (nap) => `trap '' TERM; while :; do ${nap}; done`],
    ['a child that is stopped', 1, (nap) => `${nap} & sleep 0.2; kill -STOP $!; kill -STOP $$; wait`],
    ['a daemon that closed its output', 1, (nap) => `(setsid ${nap} </dev/null >/dev/null 2>&1 &); sleep 600`],
    ['an orphan without environment that stayed in the session', 1, (nap) => `(env -i ${nap} &); sleep 600`],
  ];

  test.each(families)('%s', async (_, naps, script) => {
    const child = await here.start(script(here.nap));
    await napping(child, naps);
    await abortEndsAll(child);
  });

  test('a daemon without environment that was seen while it had a parent', async () => {
    const hide = `sh -c 'sleep 1; exec env -i setsid ${here.nap}' & sleep 0.8`;
    const child = await here.start(`(${hide}) & sleep 600`);
    await napping(child, 1);
    const [daemon] = here.survivors().filter(({ command }) => command === here.nap);
    expect(daemon?.session, 'it left the session').not.toBe(child.pid);
    expect(daemon?.ppid, 'it lost its parent').not.toBe(child.pid);
    await abortEndsAll(child);
  });

  test('a child that forks in a loop and ignores SIGTERM', async () => {
    const loop = `trap '' TERM; i=0; while [ $i -lt 3000 ]; do ${here.nap} & i=$((i+1)); done; sleep 600`;
    const child = await here.start(loop);
    await napping(child, 20);
    await abortEndsAll(child);
  });

  test('a chain in which every process starts the next and exits', async () => {
    const child = await here.start(`${chain()} & sleep 600`);
    await until('the chain runs', () => here.has('reached'));
    await abortEndsAll(child);
    await pause(SEEN_MS);
    expect(here.survivors(), 'nor does it come back').toEqual([]);
  });
});

function chain(): string {
  const link = 'n=$(($1+1)); [ $n -lt 20000 ] || exit 0; sh "$0" $n $2 & exit 0';
  writeFileSync(here.file('link.sh'), `trap '' TERM\necho $1 > reached\n${link}\n`);
  return `sh ${here.home}/link.sh 0 ${here.token}`;
}

describe('what is not aborted', () => {
  test('takes with it what it leaves behind when it exits', async () => {
    const child = await here.start(`setsid ${here.nap} >/dev/null 2>&1 & exit 3`);
    const end = await child.ended;
    expect(end).toMatchObject({ exitCode: 3, aborted: false, remaining: [] });
    expect(here.survivors()).toEqual([]);
  });

  test('takes with it a chain in which every process starts the next and exits', async () => {
    const child = await here.start(`${chain()} >/dev/null 2>&1 & sleep 0.5`);
    expect(await child.ended).toMatchObject({ exitCode: 0, remaining: [] });
    expect(here.has('reached')).toBe(true);
    await pause(SEEN_MS);
    expect(here.survivors()).toEqual([]);
  });

  test('leaves another command of the same handoff alone', async () => {
    const other = await here.start(here.nap);
    await napping(other, 1);
    const short = await here.start('true');
    await short.ended;
    expect(here.survivors().filter(({ command }) => command === here.nap)).toHaveLength(1);
    await abortEndsAll(other);
  });

  test('gets time to tidy up before it is killed', async () => {
    const script = `trap 'echo tidied; exit 0' TERM; echo ready; while :; do sleep 0.05; done`;
    const child = await here.start(script, { limits: { graceMs: 20_000 } });
    await until('it is ready', () => child.stdout.text() === 'ready\n');
    here.abort.abort();
    await child.ended;
    expect(child.stdout.text()).toBe('ready\ntidied\n');
  });
});

describe('endTree', () => {
  const target = () => ({ scope: 'test', run: here.run, handoff: 'ask-1' });

  test('ends a process that nobody recorded, by its marker alone', async () => {
    const env = { PATH, BATON_HANDOFF: `${here.run}/ask-1/7` };
    spawn('setsid', ['sh', '-c', `${here.nap} & wait`], { env, detached: true, stdio: 'ignore' }).unref();
    await until('it naps', () => here.survivors().some(({ command }) => command === here.nap));
    const { ended, remaining } = await endTree(target(), { graceMs: 0 });
    expect(remaining).toEqual([]);
    expect(ended.map(({ name }) => name).sort()).toEqual(['sh', 'sleep']);
    expect(here.survivors()).toEqual([]);
  });

  test.each([
    ['another handoff', { handoff: 'ask-2' }],
    ['another run', { run: 'run' }],
    ['the same run of another store', { scope: 'other' }],
  ])('leaves %s alone', async (_, other) => {
    const child = await here.start(here.nap);
    await napping(child, 1);
    expect(await endTree({ ...target(), ...other }, { graceMs: 0 })).toEqual({ ended: [], remaining: [] });
    expect(here.survivors().length).toBeGreaterThan(0);
    await abortEndsAll(child);
  });

  test('leaves a process alone that has the number but not the start of the one that is meant', async () => {
    const stranger = spawn('sleep', [`300.${here.token}`], { env: {}, stdio: 'ignore' });
    await until('it naps', () => here.survivors().length === 1);
    const roots = [{ pid: stranger.pid ?? 0, started: '1@another-boot', order: 1 }];
    expect(await endTree(target(), { roots, graceMs: 0 })).toEqual({ ended: [], remaining: [] });
    expect(here.survivors()).toHaveLength(1);
  });

  test('knows the daemons that a running command of the handoff was seen to start', async () => {
    const hide = `sh -c 'sleep 1; exec env -i setsid ${here.nap}' & sleep 0.8`;
    const child = await here.start(`(${hide}) & sleep 600`);
    await napping(child, 1);
    await pause(SEEN_MS);
    const [daemon] = here.survivors().filter(({ command }) => command === here.nap);
    const { ended } = await endTree(target(), { graceMs: 100 });
    expect(ended).toContainEqual({ pid: daemon?.pid, name: 'sleep' });
    expect(here.survivors()).toEqual([]);
    expect(await child.ended).toMatchObject({ signal: 'SIGTERM', aborted: false });
  });
});

test('two commands end at the same time without hurting each other', async () => {
  const second = new Playground();
  try {
    const [mine, theirs] = await Promise.all([here.start(here.nap), second.start(second.nap)]);
    await until('both nap', () => here.survivors().length > 0 && second.survivors().length > 0);
    await abortEndsAll(mine);
    expect(second.survivors().length).toBeGreaterThan(0);
    second.abort.abort();
    await theirs.ended;
    expect(second.survivors()).toEqual([]);
  } finally {
    second.clear();
  }
});

test('an aborted command that had exited by itself tells its own exit code', async () => {
  const spawned = await spawnGated(here.request(['sh', '-c', 'exit 9']));
  if (spawned.type !== 'started') throw new Error(spawned.type);
  const { exitCode, aborted } = await spawned.process.ended;
  here.abort.abort();
  expect({ exitCode, aborted }).toEqual({ exitCode: 9, aborted: false });
});

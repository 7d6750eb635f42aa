import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { spawnGated } from '../../../src/sandbox/spawn-gated.js';
import { PATH, Playground, until } from './playground.js';
import { HeldTable } from './tables.js';

let here: Playground;
beforeEach(() => {
  here = new Playground();
});
afterEach(() => here.clear());

describe('a command behind the gate', () => {
  test('finds its own row on disk when its first line runs', async () => {
    const child = await here.start(`cat ${here.rows}/*.row`);
    const { exitCode } = await child.ended;
    expect(exitCode).toBe(0);
    expect(JSON.parse(child.stdout.text())).toMatchObject({
      run: here.run,
      handoff: 'ask-1',
      attempt: 1,
      pid: child.pid,
    });
    expect(await here.table.list({ run: here.run }), 'the row goes with the process').toEqual([]);
  });

  test('that is said to stay in its group, and leaves somebody there, is ended with them all the same', async () => {
    const child = await here.start(`${here.nap} >/dev/null 2>&1 & exit 0`, { staysInGroup: true });
    const { exitCode, ended, remaining } = await child.ended;
    // It may be ended before it has become the other program.
    expect([exitCode, ended.length, remaining]).toEqual([0, 1, []]);
    expect(here.survivors()).toEqual([]);
    expect(await here.table.list({ run: here.run })).toEqual([]);
  });

  test('that is said to stay in its group is ended when it is aborted', async () => {
    const child = await here.start(here.nap, { staysInGroup: true });
    here.abort.abort();
    expect(await child.ended).toMatchObject({ aborted: true, remaining: [], rowKept: false });
    expect(here.survivors()).toEqual([]);
  });

  test('does not run while its row is being written, and runs when it is written', async () => {
    const table = new HeldTable();
    const spawning = spawnGated(here.request(['touch', 'ran'], { gate: { ...here.gate, table } }));
    await until('the row is asked for', () => table.asked.length === 1);
    await until('the gate waits', () => here.survivors().some(({ command }) => command.includes('baton-gate')));
    expect(here.has('ran')).toBe(false);
    table.letGo();
    const spawned = await spawning;
    expect(spawned.type === 'started' && (await spawned.process.ended).exitCode).toBe(0);
    expect(here.has('ran')).toBe(true);
  });

  test('that is killed before its release never runs', async () => {
    const table = new HeldTable();
    const spawning = spawnGated(here.request(['touch', 'ran'], { gate: { ...here.gate, table } }));
    await until('the row is asked for', () => table.asked.length === 1);
    const pid = table.asked[0]?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await until('it was collected', () => !existsSync(`/proc/${pid}`));
    table.letGo();
    expect(await spawning).toEqual({ type: 'not-started', reason: 'it was ended before it could run (SIGKILL)' });
    expect(table.rows, 'the late row is taken back').toEqual([]);
    expect(here.has('ran')).toBe(false);
  });

  test('that is aborted while its row is being written never runs, and the row is taken back', async () => {
    const table = new HeldTable();
    const spawning = spawnGated(here.request(['touch', 'ran'], { gate: { ...here.gate, table } }));
    await until('the row is asked for', () => table.asked.length === 1);
    here.abort.abort();
    await until('nothing of it is left', () => here.survivors().length === 0);
    table.letGo();
    expect(await spawning).toEqual({ type: 'aborted' });
    expect(table.rows, 'the late row is taken back').toEqual([]);
    expect(here.has('ran')).toBe(false);
  });

  test('never runs when the run has another owner by then', async () => {
    const table = new HeldTable();
    const spawning = spawnGated(here.request(['touch', 'ran'], { gate: { ...here.gate, table } }));
    await until('the row is asked for', () => table.asked.length === 1);
    table.takeOver();
    table.letGo();
    expect(await spawning).toEqual({ type: 'aborted' });
    expect([here.survivors(), table.rows]).toEqual([[], []]);
    expect(here.has('ran')).toBe(false);
  });

  test('never runs when the table fails, and the failure is passed on', async () => {
    const table = new HeldTable();
    const spawning = spawnGated(here.request(['touch', 'ran'], { gate: { ...here.gate, table } }));
    await until('the row is asked for', () => table.asked.length === 1);
    table.letGo(new Error('the disk is full'));
    await expect(spawning).rejects.toThrow('the disk is full');
    expect(here.survivors()).toEqual([]);
    expect(here.has('ran')).toBe(false);
  });

  test('is not even started when it is aborted already', async () => {
    const table = new HeldTable();
    here.abort.abort();
    expect(await spawnGated(here.request(['touch', 'ran'], { gate: { ...here.gate, table } }))).toEqual({
      type: 'aborted',
    });
    expect(table.asked).toEqual([]);
  });
});

describe('a command that cannot be run', () => {
  test('is not found, like a shell says with 127', async () => {
    const spawned = await spawnGated(here.request(['no-such-program']));
    expect(spawned).toEqual({
      type: 'not-found',
      exitCode: 127,
      reason: 'no-such-program is in none of /usr/local/bin, /usr/bin, /bin',
    });
  });

  test('is not executable, like a shell says with 126', async () => {
    writeFileSync(here.file('plain'), 'text');
    chmodSync(here.file('plain'), 0o644);
    expect(await spawnGated(here.request(['./plain']))).toMatchObject({ type: 'not-found', exitCode: 126 });
  });

  test('has no folder to run in', async () => {
    const cwd = here.file('nowhere');
    expect(await spawnGated(here.request(['true'], { cwd }))).toEqual({
      type: 'not-started',
      reason: `there is no folder ${cwd}`,
    });
  });
});

describe('what a command gets', () => {
  test('is exactly the environment it was given, and its marker', async () => {
    const env = { PATH, COLOUR: 'a=b c', BATON_RUN: 'forged', 'no.shell.name': 'x' };
    const listing = await spawnGated(here.request(['env', '-0'], { env, workspace: here.home }));
    if (listing.type !== 'started') throw new Error(listing.type);
    await listing.process.ended;
    const [spawn = ''] = /BATON_SPAWN=[^\0]*/.exec(listing.process.stdout.text()) ?? [];
    expect(spawn).toMatch(/^BATON_SPAWN=test:[0-9a-f-]{36}$/);
    expect(listing.process.stdout.text().split('\0').filter(Boolean).sort()).toEqual(
      [
        `BATON_HANDOFF=${here.run}/ask-1/1`,
        `BATON_RUN=${here.run}`,
        spawn,
        `BATON_WORKSPACE=${here.home}`,
        'COLOUR=a=b c',
        `PATH=${PATH}`,
      ].sort(),
    );
  });

  test('are its arguments as they are: nothing in them is read by a shell', async () => {
    const hostile = ['$(touch ran)', '; touch ran', '`touch ran`', '', ' a  b ', '-n', "'", '"', '\n', '*'];
    const spawned = await spawnGated(here.request(['printf', '%s\\0', ...hostile]));
    if (spawned.type !== 'started') throw new Error(spawned.type);
    await spawned.process.ended;
    expect(spawned.process.stdout.text().split('\0').slice(0, -1)).toEqual(hostile);
    expect(here.has('ran')).toBe(false);
  });

  test('is its input, whole, and then the end of it', async () => {
    const text = 'line\n'.repeat(100_000);
    const child = await here.start('wc -c', { stdin: { text } });
    await child.ended;
    expect(Number(child.stdout.text())).toBe(text.length);
  });

  test('is a stream to write to when it is asked for', async () => {
    const child = await here.start('read -r a; echo "got $a"', { stdin: 'open' });
    child.stdin?.write('hello\n');
    expect(await child.ended).toMatchObject({ exitCode: 0 });
    expect(child.stdout.text()).toBe('got hello\n');
  });

  test('is a session and a process group of its own', async () => {
    const child = await here.start(here.nap);
    await until('it naps', () => here.survivors().some(({ command }) => command === here.nap));
    for (const { group, session } of here.survivors())
      expect({ group, session }).toEqual({ group: child.pid, session: child.pid });
    here.abort.abort();
    await child.ended;
  });
});

test('stdout and stderr can be had apart, or merged in the order they were written', async () => {
  const script = 'echo 1; echo 2 >&2; echo 3; echo 4 >&2';
  const apart = await here.start(script);
  await apart.ended;
  expect([apart.stdout.text(), apart.stderr.text()]).toEqual(['1\n3\n', '2\n4\n']);
  const merged = await here.start(script, { merge: true });
  await merged.ended;
  expect([merged.stdout.text(), merged.stderr.text()]).toEqual(['1\n2\n3\n4\n', '']);
});

test('a script without its interpreter ends with 127 after it was let through', async () => {
  writeFileSync(here.file('broken'), '#!/no/such/interpreter\n', { mode: 0o755 });
  const spawned = await spawnGated(here.request(['./broken']));
  expect(spawned.type === 'started' && (await spawned.process.ended).exitCode).toBe(127);
});

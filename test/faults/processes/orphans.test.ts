import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endLeftovers } from '../../../src/sandbox/end-leftovers.js';
import { bundle } from '../../conformance/store/bundle.js';
import type { Order, Part } from './baton-like.js';
import { PATH, Playground, type Survivor, until } from './playground.js';

const MEBIBYTE = 1024 * 1024;
const HIGH_DESCRIPTOR = 42;

let script: string;
let here: Playground;
beforeAll(async () => {
  script = fileURLToPath(await bundle(new URL('./baton-like.ts', import.meta.url)));
});
afterAll(() => rmSync(path.dirname(script), { recursive: true, force: true }));
beforeEach(() => {
  here = new Playground();
});
afterEach(() => here.clear());

function orderFor(part: Part, command = ''): Order {
  return { part, run: here.run, rows: here.rows, cwd: here.home, env: { PATH, HOME: here.home }, script: command };
}

function play(part: Part, command = '', passedDescriptors: ('pipe' | 'ignore')[] = []): ChildProcess {
  const argv = [script, JSON.stringify(orderFor(part, command))];
  return spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit', ...passedDescriptors], env: { PATH } });
}

async function firstLine(child: ChildProcess): Promise<Record<string, unknown>> {
  if (!child.stdout) throw new Error('no stdout');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error('it ended without a word');
}

const naps = (): Survivor[] => here.survivors().filter(({ command }) => command === here.nap);

/** Without the Baton-like process itself, whose arguments hold the number too. */
const orphans = (): Survivor[] => here.survivors().filter(({ command }) => !command.includes(script));

function show(title: string, processes: readonly Survivor[]): void {
  const lines = processes.map(
    ({ pid, ppid, group, session, command }) =>
      `  pid ${pid} ppid ${ppid} group ${group} session ${session}  ${command.replaceAll('\n', ' ').slice(0, 60)}`,
  );
  process.stdout.write(`${[`${title}: ${processes.length}`, ...lines].join('\n')}\n`);
}

const family = (nap: string): string =>
  [
    `${nap} &`,
    `setsid ${nap} &`,
    `(setsid sh -c '${nap} & exec ${nap}' &)`,
    `nohup ${nap} >/dev/null 2>&1 &`,
    `sh -c "trap '' TERM; while :; do ${nap}; done" &`,
    'wait',
  ].join('\n');

describe('after kill -9 of the Baton that started them', () => {
  test('a command that was not recorded yet exits without having run', async () => {
    const baton = play('hold', 'touch ran; sleep 600');
    await firstLine(baton);
    expect(orphans().length, 'the gate waits').toBeGreaterThan(0);
    baton.kill('SIGKILL');
    await until('the gate is gone', () => orphans().length === 0);
    expect(here.has('ran')).toBe(false);
    expect(await here.table.list({ run: here.run })).toEqual([]);
  });

  test('a family lives on, and a second process ends all of it', async () => {
    const baton = play('leave', family(here.nap));
    const { started } = await firstLine(baton);
    await until('all nap', () => naps().length === 6);
    baton.kill('SIGKILL');
    await until('its Baton is gone', () => !here.survivors().some(({ command }) => command.includes(script)));

    show('before', orphans());
    expect(naps(), 'orphans live on').toHaveLength(6);
    expect(await here.table.list({ run: here.run })).toMatchObject([{ pid: started, handoff: 'ask-1' }]);
    const report = await firstLine(play('end'));
    show('after', orphans());

    expect(orphans()).toEqual([]);
    expect(report).toMatchObject({ remaining: [], elsewhere: [] });
    const ended = (report.ended as { name: string }[]).map(({ name }) => name);
    expect(ended.filter((name) => name === 'sleep').length).toBeGreaterThanOrEqual(6);
    expect(await here.table.list({ run: here.run })).toEqual([]);
  });

  test('daemons are found by their marker when the command itself and its row are gone', async () => {
    const baton = play('leave', `setsid ${here.nap} & sleep 600`);
    const { started } = await firstLine(baton);
    await until('it naps', () => naps().length === 1);
    baton.kill('SIGKILL');
    process.kill(started as number, 'SIGKILL');
    for (const row of await here.table.list({ run: here.run })) await here.table.remove(row);
    await until('the command is gone', () => !orphans().some(({ pid }) => pid === started));
    const { ended } = await endLeftovers(here.gate, here.run, 'ask-1', { graceMs: 100 });
    expect(ended).toContainEqual(expect.objectContaining({ name: 'sleep' }));
    expect(orphans()).toEqual([]);
  });
});

describe('endLeftovers', () => {
  const row = { worker: 'worker-0', handoff: 'ask-1', attempt: 1 };

  test('leaves rows of another pid namespace where they are, and says so', async () => {
    const child = await here.start(here.nap);
    await until('it naps', () => naps().length === 1);
    const [own] = await here.table.list({ run: here.run });
    if (!own) throw new Error('no row');
    const foreign = { ...own, handoff: 'ask-9', attempt: 9, pidNamespace: 'pid:[1]' };
    await here.table.add(foreign, 1);
    expect(await endLeftovers(here.gate, here.run, 'ask-9')).toEqual({
      ended: [],
      remaining: [],
      elsewhere: [foreign],
    });
    expect(naps(), 'its number is of another process here').toHaveLength(1);
    expect(await here.table.list({ handoff: 'ask-9' })).toEqual([foreign]);
    here.abort.abort();
    await child.ended;
  });

  test.each([true, false])(
    'forgets rows of an earlier boot only when no other machine shares the table: %s',
    async (oneMachine) => {
      const old = { ...row, run: here.run, pid: process.pid, started: '1@an-earlier-boot', pidNamespace: null };
      await here.table.add(old, 1);
      const { ended, elsewhere } = await endLeftovers({ ...here.gate, oneMachine }, here.run);
      expect(ended).toEqual([]);
      expect(elsewhere).toEqual(oneMachine ? [] : [old]);
      expect(await here.table.list({ run: here.run })).toEqual(oneMachine ? [] : [old]);
    },
  );

  test('only ends the handoff it is asked about', async () => {
    const [first, second] = [await here.start(here.nap), await here.start(here.nap, { handoff: 'ask-2' })];
    await until('both nap', () => naps().length === 2);
    await endLeftovers(here.gate, here.run, 'ask-1');
    expect((await first.ended).signal).toBe('SIGTERM');
    expect(naps()).toMatchObject([{ session: second.pid }]);
    expect(await here.table.list({ run: here.run })).toMatchObject([{ handoff: 'ask-2' }]);
    await endLeftovers(here.gate, here.run);
    await second.ended;
    expect(here.survivors()).toEqual([]);
  });
});

describe('a Baton inside a command of another', () => {
  test('never ends itself or what it was started by, even when it is told to end its own handoff', async () => {
    const argv = [process.execPath, script, JSON.stringify(orderFor('end-own'))];
    const quoted = argv.map((word) => `'${word}'`).join(' ');
    const outer = await here.start(`setsid ${here.nap} & sleep 0.3; ${quoted}; echo alive`);
    const { exitCode } = await outer.ended;
    const [report = '', alive] = outer.stdout.text().split('\n');
    expect({ exitCode, alive }).toEqual({ exitCode: 0, alive: 'alive' });
    expect(JSON.parse(report)).toMatchObject({ ended: [{ name: 'sleep' }], remaining: [] });
  });

  test('takes its own daemons with it when the outer command is aborted', async () => {
    const order = orderFor('nest', `(setsid ${here.nap} &); sleep 600`);
    const argv = [process.execPath, script, JSON.stringify(order).replaceAll("'", '')];
    const outer = await here.start(`${argv.map((word) => `'${word}'`).join(' ')} & wait`);
    await until('the inner daemon naps', () => naps().length === 1);
    const inner = here.survivors().find(({ command }) => command.includes(script));
    process.kill(inner?.pid ?? 0, 'SIGKILL');
    await until('the inner Baton is gone', () => !here.survivors().some(({ command }) => command.includes(script)));
    here.abort.abort();
    await outer.ended;
    expect(here.survivors()).toEqual([]);
  });
});

test('a flood is counted and dropped, and memory stays flat', async () => {
  const flood = play('flood', `head -c ${200 * MEBIBYTE} /dev/zero`);
  const report = await firstLine(flood);
  expect(report).toMatchObject({ bytes: 200 * MEBIBYTE, droppedBytes: 200 * MEBIBYTE - 1024 });
  expect(report.kept as number).toBeLessThanOrEqual(1024);
  expect(report.grewBytes as number, 'keeping it would take 200 MiB').toBeLessThan(100 * MEBIBYTE);
});

test('a command has no descriptor of Baton, nor one that Baton was started with, and runs behind no start file', async () => {
  // Bash, which closes the high ones, takes a socket on stdin for a login from afar and would read this file then.
  writeFileSync(here.file('.bashrc'), 'touch was-read');
  const passed = new Array<'pipe' | 'ignore'>(HIGH_DESCRIPTOR - 3).fill('ignore');
  const baton = play('descriptors', 'exec ls /proc/self/fd', [...passed, 'pipe']);
  // The fourth is the folder that ls itself reads.
  expect(await firstLine(baton)).toEqual({ descriptors: ['0', '1', '2', '3'] });
  expect(here.has('was-read')).toBe(false);
});

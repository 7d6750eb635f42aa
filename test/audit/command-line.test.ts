import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { baton, ROOT } from '../cli/run-bin.js';
import { makeErrands, SEVERAL } from './errand-home.js';
import { copyOf, spoil } from './in-process.js';

const BIN = path.join(ROOT, 'bin/baton.cjs');
let home: string;

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'baton-cli-'));
  await makeErrands(home, { orders: SEVERAL });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const at = (folder: string) => ({ env: { BATON_HOME: folder, LANG: 'C.UTF-8' } });
const json = (folder: string, ...argv: string[]) => JSON.parse(baton([...argv, '--json'], at(folder)).out);

describe('a home without a store', () => {
  test.each([
    [['runs', '--json'], { items: [], next: null }],
    [['ps', '--json'], { items: [], next: null }],
    [['events', '--json'], { items: [], next: null }],
    [['audit', 'verify', '--json'], { ok: true, runs: 0, events: 0 }],
    [['store', 'check', '--json'], { ok: true, runs: 0 }],
    [['store', 'stats', '--json'], { runs: 0, events: 0, bytes: { database: 0 } }],
  ])('answers %j with nothing, and nothing is made', (argv, expected) => {
    const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'baton-none-')), 'home');
    const { code, out, err } = baton(argv, at(folder));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject(expected);
    expect(existsSync(folder)).toBe(false);
  });

  test('says so to a person too', () => {
    const folder = path.join(os.tmpdir(), 'baton-never-made');
    expect(baton(['runs'], at(folder))).toEqual({ code: 0, out: 'No runs.\n', err: '' });
    expect(baton(['events'], at(folder))).toEqual({ code: 0, out: '', err: 'No events.\n' });
  });

  test('and reading one that has a store leaves only what was there', () => {
    const folder = copyOf(home);
    const kept = (): string[] => readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name));
    const before = kept();
    for (const argv of [['runs'], ['events'], ['audit', 'verify'], ['store', 'check']]) baton(argv, at(folder));
    expect(kept()).toEqual(before);
  });
});

describe('runs', () => {
  test('lists the newest first, and goes on behind a cursor', () => {
    const first = json(home, 'runs', '-n', '3');
    expect(first.items.map(({ run_id }: { run_id: string }) => run_id)).toEqual(['stuck-4', 'checked-3', 'review-2']);
    const rest = json(home, 'runs', '--after', first.next);
    expect(rest.items.map(({ run_id }: { run_id: string }) => run_id)).toEqual(['plain-1']);
    expect(rest.next).toBeNull();
  });

  test.each([
    [
      ['--status', 'done'],
      ['checked-3', 'plain-1'],
    ],
    [['--kind', 'job'], []],
    [['--search', 'checked'], ['checked-3']],
  ])('with %j finds %j', (argv, expected) => {
    expect(json(home, 'runs', ...argv).items.map(({ run_id }: { run_id: string }) => run_id)).toEqual(expected);
  });

  test('shows state first, the next command last, within 80 columns', () => {
    const lines = baton(['ps'], at(home)).out.trimEnd().split('\n');
    expect(lines[0]).toBe('4 runs, 0 under way, 2 wait');
    expect(lines.at(-1)).toBe('Look: baton events --run stuck-4');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test.each([['0'], ['-3'], ['many'], ['10001']])('refuses the limit %s as wrong usage', (limit) => {
    expect(baton(['runs', `--limit=${limit}`], at(home)).code).toBe(2);
  });
});

describe('a run is named', () => {
  test('by a unique beginning', () => {
    expect(json(home, 'audit', 'show', 'rev').run_id).toBe('review-2');
  });

  test('not by a beginning of several: the candidates are listed', async () => {
    const folder = copyOf(home);
    await makeErrands(folder, { orders: { 'plain-9': {}, plain: {} } });
    const { code, out } = baton(['audit', 'show', 'plain-', '--json'], at(folder));
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 'AMBIGUOUS_ID',
      details: {
        candidates: [
          { run_id: 'plain-9', status: 'done' },
          { run_id: 'plain-1', status: 'done' },
        ],
      },
    });
    expect(json(folder, 'audit', 'show', 'plain').run_id).toBe('plain');
  });

  test.each(['nobody', '', 'PLAIN', '%'])('not by %j', (id) => {
    const { code, out } = baton(['audit', 'show', id, '--json'], at(home));
    expect({ exit: code, ...JSON.parse(out) }).toMatchObject({ exit: 1, code: 'RUN_NOT_FOUND' });
  });
});

describe('events', () => {
  test('are objects of the published form, continued by position', () => {
    const { items, next } = json(home, 'events', '-n', '5');
    expect(items.map(({ position }: { position: number }) => position)).toEqual([1, 2, 3, 4, 5]);
    expect(Object.keys(items[0])).toEqual(['position', 'run_id', 'seq', 'type', 'at', 'actor', 'data', 'hash']);
    expect(json(home, 'events', '--after', next).items[0].position).toBe(6);
  });

  test('of one run begin behind a position of the journal', () => {
    const all = json(home, 'events', '--run', 'stuck').items;
    const later = json(home, 'events', '--run', 'stuck', '--after', String(all[2].position)).items;
    expect(all.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(later).toEqual(all.slice(3));
  });

  test('are plain lines off a terminal, and nothing in them can steer one', async () => {
    const folder = copyOf(home);
    await makeErrands(folder, { orders: { 'loud-5': { title: '\u001b]52;c;aGk=\u0007\u001b[2J\u202erun\r\nok' } } });
    for (const argv of [['events'], ['events', '--json'], ['runs'], ['runs', '--json'], ['audit', 'export']]) {
      const { out } = baton(argv, at(folder));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not be there
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    const [line] = baton(['events', '--run', 'loud', '-n', '2'], at(folder)).out.split('\n');
    expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z loud-5 ErrandSubmitted position=\d+ actor=anna /);
  });
});

type Following = {
  child: ChildProcess;
  lines: string[];
  until(count: number): Promise<void>;
  ended: Promise<unknown[]>;
};

function follow(folder: string, ...argv: string[]): Following {
  const child = spawn(process.execPath, [BIN, 'events', '-f', ...argv], {
    env: { ...process.env, BATON_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  let check: () => void = () => {};
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    lines.push(line);
    check();
  });
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      check = () => {
        if (lines.length >= count) resolve();
      };
      check();
    });
  return { child, lines, until, ended: once(child, 'exit') };
}

describe('events -f', () => {
  test('goes on with what other processes record, every event once and in order, until Ctrl-C', async () => {
    const folder = copyOf(home);
    const before = json(folder, 'events').items.length;
    const { child, lines, until, ended } = follow(folder, '--json', '--after', String(before - 2));
    await until(2);
    await makeErrands(folder, { orders: { 'live-5': {}, 'live-6': { steps: 5 } } });
    const total = json(folder, 'events').items.length;
    await until(total - before + 2);
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    const positions = lines.map((line) => JSON.parse(line).position);
    expect(positions).toEqual(Array.from({ length: total - before + 2 }, (_, index) => before - 1 + index));
  });

  test('of one run says nothing of others', async () => {
    const folder = copyOf(home);
    const { child, lines, until, ended } = follow(folder, '--run', 'plain-1');
    await until(json(folder, 'events', '--run', 'plain-1').items.length);
    await makeErrands(folder, { orders: { 'live-5': { report: 'plain-1' } } });
    await until(json(folder, 'events', '--run', 'plain-1').items.length);
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(lines.every((line) => line.split(' ')[1] === 'plain-1')).toBe(true);
    expect(lines.at(-1)).toContain('ReportReceived');
  });

  test('waits for a home that has no store yet, makes nothing, and ends by Ctrl-C too', async () => {
    const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'baton-none-')), 'home');
    const early = follow(folder);
    const patient = follow(folder, '--json');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(existsSync(folder)).toBe(false);
    early.child.kill('SIGINT');
    expect(await early.ended).toEqual([130, null]);
    await makeErrands(folder, { orders: { 'first-1': {} } });
    await patient.until(json(folder, 'events').items.length);
    expect(JSON.parse(patient.lines[0] ?? '')).toMatchObject({ position: 1, run_id: 'first-1' });
  });

  test('ends when its reader goes away', async () => {
    const folder = copyOf(home);
    const { child, until, ended } = follow(folder);
    await until(3);
    child.stdout?.destroy();
    for (let more = 1; child.exitCode === null && more <= 20; more += 1) {
      await makeErrands(folder, { orders: { [`more-${more}`]: { steps: 1 } } });
    }
    expect(await ended).toEqual([0, null]);
  });
});

describe('audit verify', () => {
  test('of the built program tells intact from broken', async () => {
    expect(json(home, 'audit', 'verify')).toMatchObject({ ok: true, runs: 4 });
    const folder = copyOf(home);
    await spoil(folder, "UPDATE journal SET data = '{}' WHERE position = 9");
    const { code, out } = baton(['audit', 'verify', '--json'], at(folder));
    expect({ exit: code, ...JSON.parse(out) }).toMatchObject({
      exit: 1,
      code: 'AUDIT_BROKEN',
      details: { position: 9 },
    });
  });

  test('finds a change in the very last event, which the store itself would refuse to open', async () => {
    const folder = copyOf(home);
    await spoil(folder, "UPDATE journal SET hash = 'x' WHERE position = (SELECT max(position) FROM journal)");
    expect(json(folder, 'audit', 'verify').code).toBe('AUDIT_BROKEN');
  });

  test('works beside a process that writes', async () => {
    const folder = copyOf(home);
    const orders = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`busy-${index}`, { steps: 6 }]));
    const writing = makeErrands(folder, { orders });
    const verified = Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, [BIN, 'audit', 'verify', '--json'], {
        env: { ...process.env, BATON_HOME: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      const [code] = await once(child, 'exit');
      return { code, out };
    });
    for (const { code, out } of await Promise.all(verified)) expect({ code, out }).toMatchObject({ code: 0 });
    await writing;
    expect(json(folder, 'audit', 'verify').ok).toBe(true);
  });
});

import { spawn } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { endMembers } from './end-tree.js';
import type { ProcessInfo, ProcessSource } from './process-source.js';
import { ProcessTree } from './process-tree.js';

const target = { scope: 'home', run: 'r', handoff: 'h' };
const member: ProcessInfo = {
  pid: 4_000_001,
  ppid: 1,
  group: 4_000_001,
  session: 4_000_001,
  started: '7@b',
  order: 7,
  zombie: false,
  name: 'agent',
};

function source(changes: Partial<ProcessSource>): ProcessSource {
  return {
    snapshot: () => [member],
    find: () => member,
    environOf: () => '',
    namespaceOf: () => null,
    isThisBoot: () => true,
    ...changes,
  };
}

function signals() {
  const sent: [number, string | number | undefined][] = [];
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    sent.push([pid, signal]);
    return true;
  });
  return sent;
}
afterEach(() => vi.restoreAllMocks());

test('who cannot be ended is reported after a bounded number of rounds', async () => {
  const sent = signals();
  const result = await endMembers(new ProcessTree(target, [member]), { graceMs: 0, source: source({}) });
  expect(result).toEqual({ ended: [], remaining: [{ pid: member.pid, name: 'agent' }] });
  expect(new Set(sent.map(([, signal]) => signal))).toEqual(new Set(['SIGKILL']));
  expect(sent).toHaveLength(200);
});

test('one SIGTERM per process, however long it takes to end', async () => {
  const sent = signals();
  let scans = 0;
  const patient = source({ snapshot: () => (scans++ < 10 ? [member] : []) });
  const result = await endMembers(new ProcessTree(target, [member]), { graceMs: 60_000, source: patient });
  expect(sent).toEqual([[member.pid, 'SIGTERM']]);
  expect(result).toEqual({ ended: [{ pid: member.pid, name: 'agent' }], remaining: [] });
});

test('a parent is asked before its child', async () => {
  const sent = signals();
  const child = { ...member, pid: 4_000_000, ppid: member.pid, order: 8 };
  let scans = 0;
  const both = source({ snapshot: () => (scans++ < 1 ? [member, child] : []), find: (pid) => ({ ...member, pid }) });
  await endMembers(new ProcessTree(target, [member]), { graceMs: 60_000, source: both });
  expect(sent.map(([pid]) => pid)).toEqual([4_000_001, 4_000_000]);
});

test('it is over only after two scans in a row without anybody', async () => {
  const sent = signals();
  const scans = [[member], [], [{ ...member, pid: 4_000_002, started: '8@b', order: 8 }], [], []];
  let scan = 0;
  const flickering = source({
    snapshot: () => scans[scan++] ?? [],
    find: (pid) => ({ ...member, pid, started: pid === member.pid ? '7@b' : '8@b' }),
  });
  await endMembers(new ProcessTree(target, [member]), { graceMs: 60_000, source: flickering });
  expect(sent.map(([pid]) => pid)).toEqual([4_000_001, 4_000_002]);
  expect(scan).toBe(5);
});

test.each([0, 60_000])(
  'a number that was given away between scan and signal is not signalled (grace %i)',
  async (graceMs) => {
    const sent = signals();
    let scans = 0;
    const reused = source({
      snapshot: () => (scans++ < 1 ? [member] : []),
      find: () => ({ ...member, started: 'later@b' }),
    });
    await endMembers(new ProcessTree(target, [member]), { graceMs, source: reused });
    expect(sent).toEqual([]);
  },
);

test('a group with a stranger in it is not killed as a group', async () => {
  const sent = signals();
  let scans = 0;
  const stranger = { ...member, pid: 4_000_009, session: 9, started: '9@b', order: 9 };
  const shared = source({ snapshot: () => (scans++ < 1 ? [member, stranger] : [stranger]) });
  await endMembers(new ProcessTree(target, [member]), { graceMs: 0, source: shared });
  expect(sent).toEqual([[member.pid, 'SIGKILL']]);
});

test.each([
  ['nobody', undefined, [[-member.group, 'SIGKILL']]],
  ['a stranger', { ...member, started: 'later@b' }, []],
] as const)('a group in which nobody is seen is killed last, when %s has its number', async (_, leader, expected) => {
  const sent = signals();
  const unseen = source({ snapshot: () => [], find: () => leader });
  const result = await endMembers(new ProcessTree(target, [member]), { graceMs: 60_000, source: unseen });
  expect(sent).toEqual(expected);
  expect(result).toEqual({ ended: [], remaining: [] });
});

test('many processes get no grace', async () => {
  const sent = signals();
  let scans = 0;
  const crowd = Array.from({ length: 501 }, (_, index) => ({ ...member, pid: 4_100_000 + index, ppid: member.pid }));
  const bomb = source({ snapshot: () => (scans++ < 1 ? [member, ...crowd] : []) });
  const { ended } = await endMembers(new ProcessTree(target, [member]), { graceMs: 60_000, source: bomb });
  expect(ended, 'a report is bounded').toHaveLength(100);
  expect(sent).toEqual([[-member.group, 'SIGKILL']]);
});

test("another user's process is no reason to stop", async () => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  const { remaining } = await endMembers(new ProcessTree(target, [member]), { graceMs: 0, source: source({}) });
  expect(remaining).toHaveLength(1);
});

test('nothing to end is found out without a signal', async () => {
  const idle = spawn('true');
  await new Promise((resolve) => idle.once('exit', resolve));
  const sent = signals();
  expect(await endMembers(new ProcessTree(target, []), { graceMs: 0 })).toEqual({ ended: [], remaining: [] });
  expect(sent).toEqual([]);
});

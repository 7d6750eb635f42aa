import { describe, expect, test } from 'vitest';
import type { ProcessInfo } from './process-source.js';
import { ProcessTree } from './process-tree.js';

const SELF = 50;
const ROOT = 100;
const target = { scope: 'home', run: 'r', handoff: 'h' };

function one(pid: number, ppid: number, more: Partial<ProcessInfo> = {}): ProcessInfo {
  return { pid, ppid, group: pid, session: 1, started: `${pid}@b`, order: pid, zombie: false, name: 'x', ...more };
}
const base = [one(1, 0), one(40, 1), one(SELF, 40)];
const root = one(ROOT, SELF, { session: ROOT });
const pids = (found: readonly ProcessInfo[]): number[] => found.map(({ pid }) => pid).sort((a, b) => a - b);
const treeOf = (...roots: ProcessInfo[]) => new ProcessTree(target, roots, SELF);

describe('a process belongs', () => {
  test('when its parent or grandparent does', () => {
    expect(pids(treeOf(root).members([...base, one(102, 101), one(101, ROOT), root, one(103, 1)]))).toEqual([
      ROOT,
      101,
      102,
    ]);
  });

  test('when it was seen before, although parent and session are gone', () => {
    const tree = treeOf(root);
    tree.members([...base, root, one(101, ROOT)]);
    expect(pids(tree.members([...base, one(101, 1, { session: 101 })]))).toEqual([101]);
  });

  test('when it is in the session of the root, although it is an orphan never seen before', () => {
    const tree = treeOf(root);
    expect(pids(tree.members([...base, one(109, 1, { session: ROOT })]))).toEqual([109]);
  });

  test('when it is in a session that a member led and left', () => {
    const tree = treeOf(root);
    tree.members([...base, root, one(101, ROOT, { session: 101 })]);
    expect(pids(tree.members([...base, one(102, 1, { session: 101 })]))).toEqual([102]);
  });

  test('when it carries the marker, and then its children do', () => {
    const environOf = (pid: number) => (pid === 200 ? 'BATON_HANDOFF=r/h/1\0' : pid === 201 ? null : '');
    expect(pids(treeOf().members([...base, one(200, 1), one(201, 200), one(202, 1)], environOf))).toEqual([200, 201]);
  });

  test('but is not named when it is only a zombie', () => {
    expect(treeOf(root).members([...base, { ...root, zombie: true }])).toEqual([]);
  });
});

describe('a process does not belong', () => {
  test('when it has the number of a member and another start', () => {
    const stranger = one(ROOT, 1, { session: ROOT, started: 'later@b', order: 999 });
    const child = one(1_000, ROOT, { session: ROOT });
    expect(treeOf(root).members([...base, stranger, child])).toEqual([]);
  });

  test('when it is this process or above it, whatever it carries; nor for being their child', () => {
    const environOf = (pid: number) => (pid <= SELF ? 'BATON_HANDOFF=r/h/1\0' : '');
    expect(treeOf().members([...base, one(60, SELF), one(61, 40)], environOf)).toEqual([]);
  });

  test('when it is older than the parent it names', () => {
    expect(pids(treeOf(root).members([...base, root, one(30, ROOT)]))).toEqual([ROOT]);
  });

  test('when the session was empty for some scans before it appeared there', () => {
    const tree = treeOf(root);
    for (let scan = 0; scan < 3; scan++) tree.members(base);
    expect(tree.members([...base, one(109, 1, { session: ROOT })])).toEqual([]);
  });
});

test('a session is not given up because one scan missed it', () => {
  const tree = treeOf(root);
  tree.members(base);
  expect(pids(tree.members([...base, one(109, 1, { session: ROOT })]))).toEqual([109]);
});

test('environments that are older than the only spawn meant are not read', () => {
  const tree = new ProcessTree({ ...target, spawn: 's' }, [root], SELF);
  const read: number[] = [];
  tree.members([...base, one(60, 1), root, one(101, 1)], (pid) => {
    read.push(pid);
    return '';
  });
  expect(read).toEqual([101]);
});

test('a spawn whose root is not known is found by its marker alone', () => {
  const tree = new ProcessTree({ ...target, spawn: 's' }, [], SELF);
  const environ = 'BATON_HANDOFF=r/h/1\0BATON_SPAWN=home:s\0';
  expect(pids(tree.members([...base, one(101, 1)], (pid) => (pid === 101 ? environ : '')))).toEqual([101]);
});

test('a tree takes over what another has seen', () => {
  const seen = treeOf(root);
  seen.members([...base, root, one(101, ROOT)]);
  const other = treeOf();
  other.absorb(seen);
  expect(pids(other.members([...base, one(101, 1), one(109, 1, { session: ROOT })]))).toEqual([101, 109]);
});

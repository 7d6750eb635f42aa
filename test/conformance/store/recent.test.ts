import { expect, test } from 'vitest';
import { RecentBodies } from '../../../src/store/sqlite/recent-bodies.js';
import { RecentEvents } from '../../../src/store/sqlite/recent-events.js';
import type { Outcome, WriteTask } from '../../../src/store/sqlite/write-tasks.js';
import { seal } from './sealed.js';

const MIB = 1_024 * 1_024;

function commit(recent: RecentEvents, run: string, position: number, events = 1): number | undefined {
  const task: WriteTask = { name: 'append', args: [seal(run, { data: Array.from({ length: events }, () => '{}') })] };
  const outcome: Outcome = { value: [{ type: 'appended', version: events, position }] };
  return recent.add([task], [outcome]);
}

test('events of this process are named from memory, as an unbroken piece of the journal', () => {
  const recent = new RecentEvents();
  expect(recent.after(0, 9)).toEqual([]);
  expect([commit(recent, 'a', 5, 2), commit(recent, 'b', 6)]).toEqual([5, 6]);
  expect(recent.after(3, 9)).toEqual([
    { position: 4, run: 'a', seq: 1 },
    { position: 5, run: 'a', seq: 2 },
    { position: 6, run: 'b', seq: 1 },
  ]);
  expect(recent.after(4, 1)).toEqual([{ position: 5, run: 'a', seq: 2 }]);
  expect([recent.after(2, 9), recent.after(6, 9)]).toEqual([[], []]);
});

test('a commit of another process begins a new piece', () => {
  const recent = new RecentEvents();
  commit(recent, 'a', 1);
  commit(recent, 'b', 3);
  expect([recent.after(0, 9), recent.after(2, 9)]).toEqual([[], [{ position: 3, run: 'b', seq: 1 }]]);
});

test('what was refused or failed, and what is no event, is not named', () => {
  const recent = new RecentEvents();
  const append: WriteTask = { name: 'append', args: [seal('a')] };
  const tasks: WriteTask[] = [append, append, { name: 'beat', args: { worker: 'w' } }];
  const outcomes: Outcome[] = [
    { value: [{ type: 'conflict', version: 3 }] },
    { failure: new Error('no') },
    { value: null },
  ];
  expect(recent.add(tasks, outcomes)).toBeUndefined();
  expect(recent.after(0, 9)).toEqual([]);
});

test('only the youngest events are remembered', () => {
  const recent = new RecentEvents();
  for (let position = 1; position <= 8_193; position += 1) commit(recent, 'a', position);
  expect([recent.after(0, 9), recent.after(4_095, 9)]).toEqual([[], []]);
  expect(recent.after(4_096, 9_999)).toHaveLength(4_097);
});

test('bodies are remembered up to 8 MiB, the oldest go first, and one larger than 1 MiB is not', () => {
  const recent = new RecentBodies();
  for (let nth = 1; nth <= 9; nth += 1) recent.add(`body-${nth}`, new Uint8Array(MIB));
  recent.add('large', new Uint8Array(MIB + 1));
  const known = ['body-1', 'body-2', 'body-9', 'large'].map((name) => recent.get(name)?.length);
  expect(known).toEqual([undefined, MIB, MIB, undefined]);
});

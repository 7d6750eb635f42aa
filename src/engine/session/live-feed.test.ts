import { expect, test } from 'vitest';
import { LiveFeed } from './live-feed.js';
import type { WireEvent } from './session-desk.js';

const piece = (item_id: string, offset: number, delta: string): WireEvent => ({
  id: 'u',
  msg: { type: 'agent_message_delta', item_id, offset, delta },
});
const stored = (type: string, more: object = {}): WireEvent => ({ id: 'u', seq: 1, msg: { type, ...more } });

function taken(feed: LiveFeed): string[] {
  const all: string[] = [];
  for (let event = feed.take(); event; event = feed.take()) {
    all.push(`${event.msg.item_id}@${event.msg.offset}:${event.msg.delta}`);
  }
  return all;
}
const CAME = { joins: false };

test('pieces are taken in their order', () => {
  const feed = new LiveFeed();
  for (const one of [piece('a', 0, 'xy'), piece('b', 0, 'z'), piece('a', 2, 'w')]) feed.add(one, CAME);
  expect(taken(feed)).toEqual(['a@0:xy', 'b@0:z', 'a@2:w']);
});

test('what would not fit is left out, and so is the rest of its item, but of no other', () => {
  const feed = new LiveFeed();
  const long = 'x'.repeat(60_000);
  feed.add(piece('a', 0, long), CAME);
  feed.add(piece('a', 60_000, long), CAME);
  taken(feed);
  feed.add(piece('a', 120_000, 'late'), CAME);
  feed.add(piece('b', 0, 'other'), CAME);
  expect(taken(feed)).toEqual(['b@0:other']);
});

test('whoever comes in the middle is told what is open, from where it is kept', () => {
  const feed = new LiveFeed();
  feed.add(piece('a', 500, 'kept'), { joins: true });
  feed.add(piece('a', 504, 'next'), CAME);
  feed.add(piece('b', 7, 'its beginning was missed'), CAME);
  expect(taken(feed)).toEqual(['a@500:kept', 'a@504:next']);
});

test.each([
  ['agent_message', { item_id: 'a' }, ['b@0:z']],
  ['turn_restarted', {}, []],
  ['task_complete', {}, []],
  ['token_count', {}, ['a@0:xy', 'b@0:z']],
])('after %s nothing of what it ends is streamed', (type, more, left) => {
  const feed = new LiveFeed();
  feed.add(piece('a', 0, 'xy'), CAME);
  feed.add(piece('b', 0, 'z'), CAME);
  feed.passed(stored(type, more));
  expect(taken(feed)).toEqual(left);
});

test('an item that is over may be followed by one of the same name', () => {
  const feed = new LiveFeed();
  feed.add(piece('a', 0, 'xy'), CAME);
  feed.passed(stored('turn_restarted'));
  feed.add(piece('a', 0, 'again'), CAME);
  expect(taken(feed)).toEqual(['a@0:again']);
});

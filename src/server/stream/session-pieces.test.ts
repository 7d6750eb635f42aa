import { expect, onTestFinished, test } from 'vitest';
import { FakeDesk } from '../../../test/session/fake-desk.js';
import type { SessionCaller, WireEvent } from '../../engine/session/session-desk.js';
import { sessionPieces } from './session-pieces.js';

const ANNA: SessionCaller = { actor: 'anna', role: 'admin', agent: null, client: '', isLocal: true };

/** One who reads a session's stream when the test lets it, and has read that it was set up. */
async function reader() {
  const desk = new FakeDesk();
  const configure = { id: 'c', op: { type: 'configure_session', cwd: '/x' } } as const;
  const { session } = await desk.configure(configure, ANNA, null);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const pieces = sessionPieces(desk, session, { after: 0, signal: stop.signal });
  const heard: WireEvent[] = [];
  const read = async (isIt: (event: WireEvent) => boolean): Promise<void> => {
    while (!heard.some(isIt)) {
      const { value = '', done } = await pieces.next();
      if (done) throw new Error('it ended');
      for (const [, data = ''] of value.matchAll(/^data: (.*)$/gm)) heard.push(JSON.parse(data) as WireEvent);
    }
  };
  await read(({ msg }) => msg.type === 'session_configured');
  await settled();
  const say = (item: string, text: string) => desk.text.tell({ run: session, id: 'u', item, type: 'message', text });
  const store = (item: string) => {
    desk.append(session, { id: 'u', msg: { type: 'agent_message', message: '', item_id: item } });
  };
  return { desk, session, heard, read, say, store, stop };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const isStored = (item: string) => (event: WireEvent) => event.seq !== undefined && event.msg.item_id === item;
const isDelta = ({ msg }: WireEvent) => msg.type === 'agent_message_delta';

test('an item of which a slow reader has missed a piece is not gone on with, and comes as a whole', async () => {
  const { heard, read, say, store } = await reader();
  for (let count = 0; count < 50; count += 1) {
    say('one', 'x'.repeat(10_000));
    await settled();
  }
  await read(isDelta);
  say('one', 'more of it');
  await settled();
  store('one');
  await read(isStored('one'));
  let next = 0;
  for (const { msg } of heard.filter(isDelta)) {
    expect(msg.offset).toBe(next);
    next += String(msg.delta).length;
  }
  expect(next).toBeGreaterThan(0);
  expect(next).toBeLessThan(500_000);
});

test('what is stored of an item comes before the pieces of the next one', async () => {
  const { heard, read, say, store } = await reader();
  say('one', 'first');
  await read(isDelta);
  store('one');
  say('two', 'second');
  store('two');
  await read(isStored('two'));
  const told = heard.slice(1).map(({ seq, msg }) => [String(msg.item_id), seq === undefined ? 'piece' : 'stored']);
  expect(told.slice(0, 2)).toEqual([
    ['one', 'piece'],
    ['one', 'stored'],
  ]);
});

test('streamed pieces cost no look into the store', async () => {
  const { desk, read, say } = await reader();
  const events = desk.events.bind(desk);
  let looks = 0;
  desk.events = (...args) => {
    looks += 1;
    return events(...args);
  };
  for (let count = 0; count < 20; count += 1) {
    say('one', `word ${count} `);
    await read(({ msg }) => String(msg.delta).includes(`word ${count} `));
  }
  expect(looks).toBe(0);
});

test('it goes on after the end of a session, and stops when it is called off', async () => {
  const { desk, session, read, store, stop } = await reader();
  desk.append(session, { id: 'q', msg: { type: 'shutdown_complete' } });
  await read(({ msg }) => msg.type === 'shutdown_complete');
  store('one');
  await read(isStored('one'));
  const rest = read(() => false);
  stop.abort();
  await expect(rest).rejects.toThrow('it ended');
  expect(desk.watchers).toBe(0);
});

test('what fails is thrown to whoever reads', async () => {
  const { desk, read, store } = await reader();
  desk.events = async () => Promise.reject(new Error('the disk is gone'));
  store('one');
  await expect(read(() => false)).rejects.toThrow('the disk is gone');
});

import { expect, test } from 'vitest';
import { EventPump } from './event-pump.js';
import type { EventPage, WireEvent } from './session-desk.js';

const event = (seq: number): WireEvent => ({ id: 'one', seq, msg: { type: 'warning', message: `${seq}` } });
const page = (seqs: readonly number[], after: number, isRest: boolean): EventPage => {
  return { events: seqs.map(event), next: seqs.at(-1) ?? after, isRest };
};

/** Hands out two events a page, and tells of an event only when it is told to. */
function stage(stored: number) {
  const sent: number[] = [];
  let reads = 0;
  let tell: (seq?: number) => void = () => {};
  let room: Promise<void> | undefined;
  const pump = new EventPump({
    ...{ session: 'a', after: 0, endedBefore: 0, onOver: () => {}, onFailure: expect.fail },
    send: ({ seq = 0 }) => {
      sent.push(seq);
      return room;
    },
    desk: {
      live: () => () => {},
      watch: (_, call) => {
        tell = call;
        return () => {};
      },
      async nextEvents(_, after) {
        reads += 1;
        const seqs = [after + 1, after + 2].filter((seq) => seq <= stored);
        return page(seqs, after, seqs.length === 0);
      },
    },
  });
  return {
    ...{ pump, sent },
    get reads() {
      return reads;
    },
    /** The next send waits until what comes back is called. */
    full(): () => void {
      let free = (): void => {};
      room = new Promise((resolve) => {
        free = () => {
          room = undefined;
          resolve();
        };
      });
      return free;
    },
    store(seq: number) {
      stored = seq;
      tell(seq);
    },
    poke: () => tell(),
    /** Nothing in here takes more turns than these. */
    async settled() {
      for (let turn = 0; turn < 100; turn += 1) await null;
    },
  };
}

test('at first everything is read, page by page, until none is left', async () => {
  const { pump, sent } = stage(5);
  pump.start();
  await pump.caughtUp();
  expect(sent).toEqual([1, 2, 3, 4, 5]);
});

test('what is known to be the last needs no second read', async () => {
  const staged = stage(0);
  staged.pump.start();
  await staged.settled();
  const { reads } = staged;
  staged.store(2);
  await staged.settled();
  expect(staged.sent).toEqual([1, 2]);
  expect(staged.reads - reads).toBe(1);
  staged.poke();
  await staged.settled();
  expect(staged.reads - reads).toBe(2);
});

test('what is heard of while a client has no room is sent afterwards, though a page ends before it', async () => {
  const staged = stage(0);
  staged.pump.start();
  await staged.settled();
  const free = staged.full();
  staged.store(1);
  await staged.settled();
  for (const seq of [2, 3, 4, 5, 6]) staged.store(seq);
  free();
  await staged.settled();
  expect(staged.sent).toEqual([1, 2, 3, 4, 5, 6]);
});

test('what was told again is not sent again', async () => {
  const staged = stage(0);
  staged.pump.start();
  await staged.settled();
  staged.store(3);
  staged.store(3);
  await staged.settled();
  staged.store(3);
  await staged.settled();
  expect(staged.sent).toEqual([1, 2, 3]);
});

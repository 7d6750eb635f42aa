import { describe, expect, test } from 'vitest';
import { Lanes } from '../../src/engine/lanes.js';
import { settled } from './test-clock.js';

describe('a lane', () => {
  test('admits as many as its limit says, and the next when one leaves', async () => {
    const { lanes, enter, admitted } = setUp(2);
    enter('a');
    enter('b');
    enter('c');
    expect(await admitted()).toEqual(['a', 'b']);
    lanes.releaseOthers('a', new Set());
    expect(await admitted()).toEqual(['a', 'b', 'c']);
  });

  test('prefers lower ranks, and among equals who came first', async () => {
    const { lanes, enter, admitted } = setUp(1);
    enter('first');
    for (const [run, rank] of [
      ['late', 2],
      ['b', 1],
      ['c', 1],
      ['urgent', 0],
    ] as const)
      enter(run, rank);
    for (const run of ['first', 'urgent', 'b', 'c']) lanes.releaseOthers(run, new Set());
    expect(await admitted()).toEqual(['first', 'urgent', 'b', 'c', 'late']);
  });

  test('forgets who gave up waiting', async () => {
    const { lanes, enter, admitted } = setUp(1);
    enter('a');
    const { controller, promise } = enter('b');
    enter('c');
    controller.abort();
    expect(await promise).toBe(false);
    lanes.releaseOthers('a', new Set());
    expect(await admitted()).toEqual(['a', 'c']);
  });

  test('does not admit who gave up before asking', async () => {
    const { lanes } = setUp(1);
    expect(await lanes.admit('x', 'a', 0, AbortSignal.abort())).toBe(false);
  });

  test('lets what was taken over hold a place above the limit, and waits until it is below again', async () => {
    const { lanes, enter, admitted } = setUp(1);
    lanes.hold('x', 'recovered');
    lanes.hold('x', 'recovered too');
    enter('a');
    lanes.releaseOthers('recovered', new Set());
    expect(await admitted()).toEqual([]);
    lanes.releaseOthers('recovered too', new Set());
    expect(await admitted()).toEqual(['a']);
  });

  test('keeps the place of a run that still needs it', async () => {
    const { lanes, enter, admitted } = setUp(1);
    enter('a');
    enter('b');
    lanes.releaseOthers('a', new Set(['x']));
    expect(await admitted()).toEqual(['a']);
  });

  // It goes from an Ask back to an Admit of the same lane in one commit, and must not wait for itself.
  test('admits a run that holds a place there already', async () => {
    const { lanes, enter, admitted } = setUp(1);
    lanes.hold('x', 'a');
    enter('a');
    expect(await admitted()).toEqual(['a']);
  });

  test('does not mind what happens in another lane', async () => {
    const { lanes, enter, admitted } = setUp(1);
    lanes.hold('y', 'other');
    enter('a');
    expect(await admitted()).toEqual(['a']);
  });
});

function setUp(limit: number) {
  const lanes = new Lanes(() => limit);
  const order: string[] = [];
  const enter = (run: string, rank = 0) => {
    const controller = new AbortController();
    const promise = lanes.admit('x', run, rank, controller.signal);
    void promise.then((admitted) => admitted && order.push(run));
    return { controller, promise };
  };
  const admitted = async () => {
    await settled();
    return [...order];
  };
  return { lanes, enter, admitted };
}

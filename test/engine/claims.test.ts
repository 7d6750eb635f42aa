import { describe, expect, test } from 'vitest';
import { Claims } from '../../src/engine/claims.js';
import type { Claim } from '../../src/engine/ports.js';
import { settled } from './test-clock.js';
import { testPorts } from './test-ports.js';

describe('looking for work', () => {
  test('takes what is there and hands it on', async () => {
    const { claims, there, adopted } = setUp();
    there.push(claim('a'), claim('b'));
    await claims.look();
    expect(adopted).toEqual(['a', 'b']);
  });

  test('is done once more, not once each, however often it is announced meanwhile', async () => {
    const { claims, looks } = setUp();
    await Promise.all([claims.look(), claims.look(), claims.look(), claims.look()]);
    expect(looks()).toBe(2);
  });

  test('goes on while there is more than fits into one look', async () => {
    const { claims, there, adopted } = setUp({ room: 1 });
    there.push(claim('a'), claim('b'), claim('c'));
    await claims.look();
    expect(adopted).toEqual(['a', 'b', 'c']);
  });

  test('is not done when there is no room', async () => {
    const { claims, looks } = setUp({ room: 0 });
    await claims.look();
    expect(looks()).toBe(0);
  });

  test('is done again after a second, also when the store failed', async () => {
    const { claims, ports, looks, setBroken } = setUp();
    setBroken(true);
    await claims.look();
    expect(ports.logged).toEqual(['could not look for work']);
    setBroken(false);
    await ports.clock.advance(1000);
    expect(looks()).toBe(2);
  });

  test('is done when the time of the next run comes', async () => {
    const { claims, ports, looks, setNextWake } = setUp();
    setNextWake(ports.clock.nowMs() + 300);
    await claims.look();
    setNextWake(null);
    await ports.clock.advance(299);
    expect(looks()).toBe(1);
    await ports.clock.advance(1);
    expect(looks()).toBe(2);
  });

  test('is not done all the time because of a run that is due and that nobody here may take', async () => {
    const { claims, ports, asksForNextWake, setNextWake } = setUp({ room: 0 });
    setNextWake(ports.clock.nowMs() - 1);
    await claims.look();
    await ports.clock.advance(2500);
    expect(asksForNextWake()).toBe(3);
  });

  test('ends with stop', async () => {
    const { claims, ports, looks } = setUp();
    await claims.look();
    await claims.stop();
    await claims.look();
    await ports.clock.advance(5000);
    expect(looks()).toBe(1);
  });

  test('goes on with the others when one run cannot be taken over', async () => {
    const { claims, there, adopted } = setUp();
    there.push(claim('broken'), claim('b'));
    await claims.look();
    expect(adopted).toEqual(['b']);
  });
});

describe('a run that is ours without our knowing', () => {
  test('is taken at the second look, not at the first', async () => {
    const { claims, ports, adopted, setOwned } = setUp();
    setOwned(['lost']);
    await claims.look();
    expect(adopted).toEqual([]);
    await ports.clock.advance(1000);
    await settled();
    expect(adopted).toEqual(['lost']);
  });

  test('is left alone when it is known by then', async () => {
    const { claims, ports, adopted, known, setOwned } = setUp();
    setOwned(['new']);
    await claims.look();
    known.add('new');
    await ports.clock.advance(3000);
    expect(adopted).toEqual([]);
  });
});

/** Time stands still, so that who asks again without waiting would never end. */
const ASKS_MAX = 100;

function claim(run: string): Claim {
  return { run, kind: 'errand', epoch: 1, previousOwner: null };
}

function setUp({ room = 10 } = {}) {
  const there: Claim[] = [];
  const adopted: string[] = [];
  const known = new Set<string>();
  let looks = 0;
  let owned: string[] = [];
  let broken = false;
  let asked = 0;
  let nextWake: number | null = null;
  const ports = testPorts({
    claim: async (_, { run, limit }) => {
      if (run !== undefined) return [claim(run)];
      looks += 1;
      if (broken) throw new Error('disk full');
      return there.splice(0, limit);
    },
    ownedBy: async () => owned,
    nextWake: async () => {
      asked += 1;
      return asked > ASKS_MAX ? null : nextWake;
    },
  });
  const claims = new Claims(ports, 'w', {
    takesAny: true,
    room: () => room,
    knows: (run) => known.has(run),
    adopt: async ({ run }) => {
      if (run === 'broken') throw new Error('broken');
      adopted.push(run);
      known.add(run);
    },
  });
  return {
    ports,
    claims,
    there,
    adopted,
    known,
    looks: () => looks,
    setOwned: (runs: string[]) => {
      owned = runs;
    },
    setBroken: (value: boolean) => {
      broken = value;
    },
    asksForNextWake: () => asked,
    setNextWake: (atMs: number | null) => {
      nextWake = atMs;
    },
  };
}

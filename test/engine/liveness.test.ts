import { describe, expect, test } from 'vitest';
import { BEAT_MS, Liveness, SILENT_MS_MAX } from '../../src/engine/liveness.js';
import { testPorts } from './test-ports.js';

describe('a worker', () => {
  test('says every two seconds that it is alive', async () => {
    const { ports } = await setUp();
    await ports.clock.advance(BEAT_MS * 3 + 1);
    expect([...ports.journal.workers]).toEqual([['w', 3]]);
  });

  test('that could not say so for too long ends its agents before it says so again', async () => {
    const { ports, happened, setBroken } = await setUp();
    setBroken(true);
    await ports.clock.advance(SILENT_MS_MAX - 1);
    expect(happened).toEqual([]);
    await ports.clock.advance(BEAT_MS);
    setBroken(false);
    await ports.clock.advance(BEAT_MS);
    expect(happened.slice(0, 1)).toEqual(['silent']);
    expect(happened.indexOf('beat')).toBeGreaterThan(happened.indexOf('silent'));
  });

  test('goes on saying so after it was silent', async () => {
    const { ports, happened, setBroken } = await setUp();
    setBroken(true);
    await ports.clock.advance(20_000);
    setBroken(false);
    happened.length = 0;
    await ports.clock.advance(BEAT_MS * 3);
    expect(happened.filter((what) => what === 'beat').length).toBe(3);
  });

  test('goes on saying so when it could not end its agents', async () => {
    const { ports, happened, setBroken } = await setUp(() => Promise.reject(new Error('disk full')));
    setBroken(true);
    await ports.clock.advance(20_000);
    setBroken(false);
    await ports.clock.advance(BEAT_MS * 2);
    expect(happened.includes('beat')).toBe(true);
  });

  test('that stops is not in the table any more, and says nothing again', async () => {
    const { ports, liveness } = await setUp();
    const stopping = liveness.stop();
    await ports.clock.advance(BEAT_MS * 3);
    await stopping;
    expect([...ports.journal.workers]).toEqual([]);
  });
});

async function setUp(onSilence: () => Promise<void> = async () => undefined) {
  const happened: string[] = [];
  const ports = testPorts();
  let broken = false;
  const { beat } = ports.store;
  ports.store.beat = async (worker) => {
    if (broken) throw new Error('disk full');
    happened.push('beat');
    await beat.call(ports.store, worker);
  };
  const liveness = new Liveness(ports, 'w', async () => {
    happened.push('silent');
    await onSilence();
  });
  const starting = liveness.start('host');
  await ports.clock.advance(0);
  await starting;
  happened.length = 0;
  return {
    ports,
    liveness,
    happened,
    setBroken: (value: boolean) => {
      broken = value;
    },
  };
}

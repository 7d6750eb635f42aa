import { describe, expect, test } from 'vitest';
import type { Clock } from '../ports.js';
import { type Files, FileWriter } from './file-writer.js';

/** Time that only moves when it is told to; everything that can go on does so in between. */
class FakeClock implements Clock {
  now = 0;
  private timers: { atMs: number; call: () => void }[] = [];

  nowMs(): number {
    return this.now;
  }

  monotonicMs(): number {
    return this.now;
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { atMs: this.now + delayMs, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  async advance(ms: number): Promise<void> {
    const untilMs = this.now + ms;
    for (;;) {
      await settled();
      const [next] = this.timers.filter(({ atMs }) => atMs <= untilMs).sort((one, other) => one.atMs - other.atMs);
      if (!next) break;
      this.now = Math.max(this.now, next.atMs);
      this.timers = this.timers.filter((one) => one !== next);
      next.call();
    }
    this.now = untilMs;
  }
}

/** Long enough for every promise here to go on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await undefined;
}

type Write = { atMs: number; file: string; content: string };

function setUp({ writeMs = 0, fails = () => false as boolean } = {}) {
  const clock = new FakeClock();
  const disk = new Map<string, string>();
  const writes: Write[] = [];
  const failures: string[] = [];
  let underWay = 0;
  const files: Files = {
    async replace(file, content) {
      underWay += 1;
      expect(underWay).toBeLessThanOrEqual(3);
      writes.push({ atMs: clock.now, file, content: String(content) });
      if (writeMs > 0) await new Promise<void>((resolve) => clock.after(writeMs, resolve));
      underWay -= 1;
      if (fails()) throw new Error('the disk is full');
      disk.set(file, String(content));
    },
    async read(file) {
      const content = disk.get(file);
      return content === undefined ? undefined : new TextEncoder().encode(content);
    },
  };
  const writer = new FileWriter(files, clock, (file, problem, tries) => failures.push(`${file} ${tries}: ${problem}`));
  return { clock, disk, writes, failures, writer };
}

describe('a file that changes all the time', () => {
  test('is written a little later, then now and then, with only the newest content', async () => {
    const { clock, writes, writer } = setUp();
    for (let change = 1; change <= 50; change += 1) {
      writer.put('a', () => `content ${change}`);
      await clock.advance(10);
    }
    await clock.advance(1_000);
    const written = writes.map(({ atMs, content }) => [atMs, content]);
    expect(written).toEqual([
      [250, 'content 25'],
      [500, 'content 50'],
    ]);
  });

  test('is written at once with its last change, unless it rests', async () => {
    const { clock, writes, writer } = setUp();
    writer.put('a', () => 'begun');
    await clock.advance(10);
    writer.put('a', () => 'ended', { last: true });
    await clock.advance(10);
    writer.put('a', () => 'ended again', { last: true });
    await clock.advance(1_000);
    const written = writes.map(({ atMs, content }) => [atMs, content]);
    expect(written).toEqual([
      [10, 'ended'],
      [110, 'ended again'],
    ]);
  });

  test('rests twenty times as long as its last write took', async () => {
    const { clock, writes, writer } = setUp({ writeMs: 30 });
    for (let change = 1; change <= 40; change += 1) {
      writer.put('a', () => `content ${change}`);
      await clock.advance(50);
    }
    await clock.advance(5_000);
    const starts = writes.map(({ atMs }) => atMs);
    expect(starts.slice(0, 3)).toEqual([250, 880, 1_510]);
    expect(writes.at(-1)?.content).toBe('content 40');
  });

  test('does not make another file wait for its rest', async () => {
    const { clock, writes, writer } = setUp({ writeMs: 30 });
    const last = { last: true };
    writer.put('a', () => 'a1', last);
    await clock.advance(40);
    writer.put('a', () => 'a2', last);
    writer.put('b', () => 'b1', last);
    await clock.advance(50);
    expect(writes.map(({ file }) => file)).toEqual(['a', 'b']);
  });

  test('is rendered only when it is written', async () => {
    const { clock, writer } = setUp();
    let rendered = 0;
    for (let change = 1; change <= 20; change += 1) {
      writer.put('a', () => {
        rendered += 1;
        return 'x';
      });
    }
    await clock.advance(1_000);
    expect(rendered).toBe(1);
  });
});

describe('before the process ends', () => {
  test('everything that waits is written without a rest', async () => {
    const { clock, disk, writer } = setUp();
    for (const name of ['a', 'b', 'c']) writer.put(name, () => 'old');
    await clock.advance(10);
    for (const name of ['a', 'b', 'c']) writer.put(name, () => 'new');
    await writer.flush();
    expect(clock.now).toBe(10);
    expect([...disk.values()]).toEqual(['new', 'new', 'new']);
  });

  test('not one of very many files is forgotten', async () => {
    const { disk, writer } = setUp();
    for (let file = 0; file < 1_100; file += 1) writer.put(`file ${file}`, () => 'content');
    await writer.flush();
    expect(disk.size).toBe(1_100);
  });

  test('a write that is under way is waited for, and what came during it is written too', async () => {
    const { clock, disk, writer } = setUp({ writeMs: 30 });
    writer.put('a', () => 'old', { last: true });
    await clock.advance(10);
    writer.put('a', () => 'new');
    const flushed = writer.flush();
    await clock.advance(100);
    await flushed;
    expect(disk.get('a')).toBe('new');
  });

  test('what cannot be written is said, and tried again as long as the process lives', async () => {
    let full = true;
    const { clock, disk, writer } = setUp({ fails: () => full });
    writer.put('a', () => 'content');
    await expect(writer.flush()).rejects.toThrow('1 files could not be written');
    full = false;
    await clock.advance(10_000);
    expect(disk.get('a')).toBe('content');
  });
});

describe('a disk that fails', () => {
  test('is tried again, each failure is reported, and the newest content is what arrives', async () => {
    let full = true;
    const { clock, disk, failures, writer } = setUp({ fails: () => full });
    writer.put('a', () => 'old');
    await clock.advance(1_000);
    writer.put('a', () => 'new');
    expect(failures.slice(0, 2)).toEqual(['a 1: Error: the disk is full', 'a 2: Error: the disk is full']);
    full = false;
    await clock.advance(20_000);
    expect(disk.get('a')).toBe('new');
  });

  test('does not hold up other files', async () => {
    const failing = new Set(['a']);
    const { clock, disk, writes, writer } = setUp({ fails: () => failing.has(writes.at(-1)?.file ?? '') });
    writer.put('a', () => 'a');
    writer.put('b', () => 'b');
    await clock.advance(300);
    expect(disk.get('b')).toBe('b');
  });

  test('and content that cannot be rendered is reported likewise', async () => {
    const { clock, failures, writer } = setUp();
    writer.put('a', () => {
      throw new Error('a bug');
    });
    await clock.advance(260);
    expect(failures).toEqual(['a 1: Error: a bug']);
  });
});

describe('after a claim', () => {
  test.each([
    ['missing', undefined, true],
    ['older', 'old', true],
    ['as it must be', 'new', false],
  ])('a file that is %s is repaired only if needed', async (_, found, repaired) => {
    const { clock, disk, writer, writes } = setUp();
    if (found !== undefined) disk.set('a', found);
    expect(await writer.repair('a', () => 'new')).toBe(repaired);
    await clock.advance(1_000);
    expect(disk.get('a')).toBe('new');
    expect(writes.length).toBe(repaired ? 1 : 0);
  });
});

import { describe, expect, test } from 'vitest';
import { Mailboxes } from '../../src/engine/mailbox.js';
import { settled } from './test-clock.js';

describe('a mailbox', () => {
  test('does one thing at a time, in the order it was put in', async () => {
    const { mailboxes, work, done, finish } = setUp();
    for (const name of ['a', 'b', 'c']) void mailboxes.put('run', work(name));
    await settled();
    expect(done).toEqual(['a begins']);
    for (const name of ['a', 'b', 'c']) {
      finish(name);
      await settled();
    }
    expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('does not make one run wait for another', async () => {
    const { mailboxes, work, done } = setUp();
    void mailboxes.put('one', work('a'));
    void mailboxes.put('other', work('b'));
    await settled();
    expect(done).toEqual(['a begins', 'b begins']);
  });

  test('tells who put it in of a failure, and goes on', async () => {
    const mailboxes = new Mailboxes();
    const broken = mailboxes.put('run', async () => {
      throw new Error('broken');
    });
    const fine = mailboxes.put('run', async () => 'fine');
    await expect(broken).rejects.toThrow('broken');
    expect(await fine).toBe('fine');
  });

  test('is idle when everything put in so far is done, whatever became of it', async () => {
    const { mailboxes, work, done, finish } = setUp();
    void mailboxes.put('run', work('a'));
    mailboxes.put('run', () => Promise.reject(new Error('broken'))).catch(() => undefined);
    let idle = false;
    const idling = mailboxes.idle().then(() => {
      idle = true;
    });
    await settled();
    expect([idle, done]).toEqual([false, ['a begins']]);
    finish('a');
    await idling;
    expect(done).toEqual(['a begins', 'a ends']);
  });
});

function setUp() {
  const done: string[] = [];
  const finishers = new Map<string, () => void>();
  const work = (name: string) => async () => {
    done.push(`${name} begins`);
    await new Promise<void>((resolve) => finishers.set(name, resolve));
    done.push(`${name} ends`);
  };
  return { mailboxes: new Mailboxes(), work, done, finish: (name: string) => finishers.get(name)?.() };
}

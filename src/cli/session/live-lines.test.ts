import { expect, test } from 'vitest';
import { LiveLines } from './live-lines.js';

function written(work: (live: LiveLines) => void): string {
  let out = '';
  work(
    new LiveLines((text) => {
      out += text;
    }),
  );
  return out;
}

test('lines are overwritten by the next ones, and by what stays', () => {
  const out = written((live) => {
    live.show(['one', 'two']);
    live.show(['three']);
    live.keep('stays\n');
    live.clear();
  });
  expect(out).toBe('one\ntwo\n\u001b[2A\u001b[Jthree\n\u001b[1A\u001b[Jstays\n');
});

test('in the middle of a line none is shown', () => {
  const out = written((live) => {
    live.keep('words on their');
    live.show(['never']);
    live.keep(' way\n');
    live.show(['again']);
  });
  expect(out).toBe('words on their way\nagain\n');
});

import { expect, test } from 'vitest';
import type { RunRow } from '../../engine/ports.js';
import { sessionLines } from './chat-words.js';

const rows = (count: number): RunRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ run: `parcel-${index + 1}`, title: 'greet me', status: 'idle', updatedAt: new Date(0).toISOString() },
  })) as RunRow[];

test('a list of sessions says how many it leaves out', () => {
  expect(sessionLines(rows(15), 0, 80)).toHaveLength(15);
  const lines = sessionLines(rows(18), 0, 80);
  expect(lines).toHaveLength(16);
  expect(lines.at(-1)?.text).toContain('3 more');
});

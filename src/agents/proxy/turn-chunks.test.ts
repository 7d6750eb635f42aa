import { expect, test } from 'vitest';
import { TurnChunks } from './turn-chunks.js';

function gathered() {
  const taken: string[][] = [];
  const turn = new TurnChunks((chunks) => taken.push(chunks.map(String)));
  return { taken, add: (text: string) => turn.add(Buffer.from(text)), flush: () => turn.flush() };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('what comes in one turn is handed over once, in order; the next turn is another', async () => {
  const { taken, add } = gathered();
  add('a');
  add('b');
  expect(taken).toEqual([]);
  await nextTurn();
  add('c');
  await nextTurn();
  expect(taken).toEqual([['a', 'b'], ['c']]);
});

test('what was handed over early is not handed over again', async () => {
  const { taken, add, flush } = gathered();
  add('a');
  flush();
  flush();
  add('b');
  await nextTurn();
  expect(taken).toEqual([['a'], ['b']]);
});

import { expect, test } from 'vitest';
import type { Answer } from './answer.js';
import { answerBridge } from './answer-bridge.js';

const ROW = { run: 'bridge-a', item: 7, key: 'request-1' };
const BY = { actor: 'anna' };

async function answered(answer: Answer): Promise<unknown[]> {
  const given: unknown[] = [];
  await answerBridge({ answer: async (...args) => void given.push(...args) }, ROW, answer, BY);
  return given;
}

test('text is the answer; --deny says that there will be none', async () => {
  expect(await answered({ text: ' {}\n' })).toEqual(['bridge-a', 'request-1', { text: ' {}\n' }, BY]);
  expect(await answered({ decision: 'deny' })).toEqual(['bridge-a', 'request-1', 'cancelled', BY]);
});

test.each<Answer>([
  {},
  { text: ' \n' },
  { decision: 'approve' },
  { decision: 'approve', text: 'yes' },
  { decision: 'deny', text: 'no' },
  { text: 'x', raise: 3 },
  { text: 'x', always: { days: null } },
])('%j is no answer to it, and nothing is sent', async (answer) => {
  await expect(answered(answer)).rejects.toMatchObject({ code: 'USAGE' });
});

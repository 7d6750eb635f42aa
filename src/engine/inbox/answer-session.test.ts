import { expect, test } from 'vitest';
import type { GivenAnswer } from './answer.js';
import { answerSession } from './answer-session.js';

const ROW = { run: 'shop-abc123', item: 7, key: 'call-1' };
const BY = { actor: 'anna' };

async function answered(answer: GivenAnswer): Promise<unknown[]> {
  const given: unknown[] = [];
  await answerSession({ answer: async (...args) => void given.push(...args) }, ROW, answer, BY);
  return given;
}

test.each<[GivenAnswer, string, string | null]>([
  [{ decision: 'approve' }, 'approved', null],
  [{ decision: 'approve_for_session' }, 'approved_for_session', null],
  [{ decision: 'deny' }, 'denied', null],
  [{ decision: 'deny', text: ' use the replica ' }, 'denied', 'use the replica'],
  [{ text: 'use the replica' }, 'denied', 'use the replica'],
  [{ decision: 'abort' }, 'abort', null],
])('%j is %s, with the words %j', async (answer, decision, guidance) => {
  expect(await answered(answer)).toEqual(['shop-abc123', 'call-1', { decision, guidance }, BY]);
});

test.each<GivenAnswer>([{}, { raise: 3 }, { decision: 'approve', text: 'but' }])(
  '%j is no answer to it, and nothing is sent',
  async (answer) => {
    await expect(answered(answer)).rejects.toMatchObject({ code: 'USAGE' });
  },
);

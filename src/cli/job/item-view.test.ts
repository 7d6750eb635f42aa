import { expect, test } from 'vitest';
import { answerWays } from './item-view.js';

const item = (kind: string) => answerWays({ item: 7, kind, run: 'env_1', title: 'How?', key: 'question-1' } as never);

test.each([
  ['clarification', ['baton answer 7 --text "…"']],
  ['confirmation', ['baton answer 7 --approve', 'baton answer 7 --deny']],
])('what an envelope asks (%s) is answered as it can be', (kind, commands) => {
  expect(item(kind).map(([command]) => command)).toEqual(commands);
});

test('what an orchestrator asks is answered with the answer, or not at all', () => {
  const asked = { item: 7, kind: 'clarification', run: 'bridge-a', title: 'request', key: 'request-1' } as const;
  expect(answerWays(asked).map(([command]) => command)).toEqual(['baton answer 7 --text "…"', 'baton answer 7 --deny']);
});

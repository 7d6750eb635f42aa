import { expect, test } from 'vitest';
import { EnvelopeStage } from './envelope-stage.js';
import { type GatedPage, gate } from './page-gate.js';

const TIMEOUT = { timeout: 300_000 };

test('pages of envelopes stand before axe, in both themes and at both widths', TIMEOUT, async () => {
  const stage = new EnvelopeStage();
  await stage.startWithEnvelopes();
  const asks = await stage.send(1, 'How does login work?\nSay where the session is kept, and for how long.', 'asker', {
    max_llm_calls: 14,
  });
  const confirms = await stage.send(2, 'Find deliveries that never reached a merchant, and clean up', 'planner');
  const looped = await stage.send(3, 'Explain the retry policy', 'looper');
  const parallel = await stage.send(4, 'Review the last change', 'thinker', { pipeline: 'review' });
  const { page } = await stage.logIn();
  const pages: readonly GatedPage[] = [
    { name: 'envelope', address: `/envelopes/${asks}`, shows: 'has a question.' },
    { name: 'envelope-confirmation', address: `/envelopes/${confirms}?stage=plan`, shows: 'asks before it goes on' },
    { name: 'envelope-bound', address: `/envelopes/${looped}?stage=critic`, shows: 'none left' },
    { name: 'envelope-parallel', address: `/envelopes/${parallel}`, shows: 'at work for' },
    { name: 'envelope-then', address: `/envelopes/${asks}?at=20&stage=plan`, shows: 'Back to live' },
    { name: 'envelope-list', address: '/envelopes', shows: 'Rows keep their place' },
    { name: 'inbox-clarification', address: '/inbox/1', shows: 'The request, as it was sent' },
    { name: 'inbox-confirmation', address: '/inbox/2', shows: 'The steps of the plan' },
  ];
  expect(await gate(stage, page, pages, () => true)).toEqual([]);
});

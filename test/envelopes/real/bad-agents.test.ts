import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EnvelopeStage } from './envelope-stage.js';

const wrong = { intent: 'q', goals: 'none' };

test('an answer of the wrong shape is asked for once more, and counts as a call', async () => {
  const stage = await EnvelopeStage.start();
  const agent = stage.bot([{ when: { stage: 'intent' }, answer: wrong, times: 1 }]);
  const { given } = await stage.process(stage.fresh(), { agent });
  expect(given).toMatchObject({ terminal_reason: 'completed_successfully', agent_hop_count: 6, llm_call_count: 6 });
  expect(given.errors).toEqual([]);
  const [, intent] = given.processing_history as { agent: string; llm_calls: number; status: string }[];
  expect(intent).toMatchObject({ agent: 'intent', llm_calls: 2, status: 'success' });
});

test('one that is wrong twice ends the envelope, with what was wrong; sent again it begins with that stage [R282]', async () => {
  const stage = await EnvelopeStage.start();
  const agent = stage.bot([{ when: { stage: 'intent' }, answer: wrong, times: 2 }]);
  const { status, given } = await stage.process(stage.fresh(), { agent });
  expect(status).toBe(200);
  expect(given).toMatchObject({ terminated: true, terminal_reason: 'tool_failed_fatally', llm_call_count: 3 });
  expect(given.errors).toEqual([expect.objectContaining({ agent: 'intent', error_type: 'OutputInvalid', recoverable: false })]);
  expect(given.errors?.[0]?.message).toContain('/goals');
  expect(given.outputs).toEqual({ perception: expect.anything() });
  const repaired = await stage.process({ ...given, terminated: false }, { agent });
  expect(repaired.given).toMatchObject({ terminal_reason: 'completed_successfully', agent_hop_count: 7 });
});

test('an agent that crashes is asked again; one that always does ends the envelope, recoverably [R281]', async () => {
  const stage = await EnvelopeStage.start();
  const file = stage.written('crash.sh', '#!/bin/sh\ncat >/dev/null\nexit 7\n');
  chmodSync(file, 0o755);
  await stage.post('/agents', { id: 'crash', adapter: 'command', command: file });
  const { given } = await stage.process(stage.fresh(), { agent: 'crash' });
  expect(given).toMatchObject({ terminated: true, terminal_reason: 'tool_failed_recoverably', llm_call_count: 0 });
  expect(given.errors).toEqual([expect.objectContaining({ agent: 'perception', recoverable: true })]);
});

test('an agent that is not there is told before anything begins; so is a person', async () => {
  const stage = await EnvelopeStage.start();
  const nobody = await stage.process(stage.fresh(), { agent: 'nobody' });
  expect(nobody).toMatchObject({ status: 422, given: { code: 'AGENT_NOT_FOUND', error: true } });
  const none = await stage.process(stage.fresh(), {});
  expect(none).toMatchObject({ status: 422, given: { code: 'AGENT_NOT_FOUND' } });
  expect((await stage.process(stage.fresh(), { agent: 'human' })).given.code).toBe('USAGE');
  expect((await stage.get('/runs?kind=envelope')).json.items).toEqual([]);
});

test('words around the answer, and a second object, are seen through or refused', async () => {
  const stage = await EnvelopeStage.start();
  const answer = 'Here it is:\n```json\n{"normalized_input":"x"}\n```\nDone.';
  const agent = stage.bot([{ when: { stage: 'perception' }, answer, times: 1 }]);
  const { given } = await stage.process(stage.fresh(), { agent });
  expect(given.outputs.perception).toEqual({ normalized_input: 'x' });
});

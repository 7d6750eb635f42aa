import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { serve } from '../client/served.js';
import { JobStage } from '../jobs/job-stage.js';

test('texts are given where an event names them, logs by their attempt, and nothing beside', {
  timeout: 60_000,
}, async () => {
  const stage = new JobStage();
  await stage.shell(
    'talker',
    `echo "I look." >&2; echo '{"action":"STUCK","evidence_files":[],"summary_for_supervisor":"No."}'`,
  );
  const served = await serve(stage);
  const client = createClient(served);
  const order = { prompt: 'Look at it', repo: stage.repo, agent: 'talker', supervisor: 'none', activate: true };
  for (const id of ['one', 'other']) await client.jobs.create({ ...order, id, prompt: `Look at ${id}` });
  await expect.poll(async () => (await client.inbox()).items.length, { timeout: 30_000 }).toBe(2);
  const { items } = await client.eventPage({ run: 'one', limit: 1 });
  const told = items[0]?.data as { order: { prompt: { sha256: string } } } | undefined;
  const sha256 = told?.order.prompt.sha256 ?? '';
  expect(await client.body('one', sha256)).toMatchObject({ text: 'Look at one' });
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => 'given',
      (failure) => failure.code,
    );
  expect(await refusal(client.body('other', sha256))).toBe('RUN_NOT_FOUND');
  expect(await refusal(client.body('one', '0'.repeat(64)))).toBe('RUN_NOT_FOUND');
  expect(await refusal(client.body('one', '%'))).toBe('RUN_NOT_FOUND');
  expect(await client.jobs.log('one', { handoff: 'h1', attempt: 1 })).toMatchObject({ text: 'I look.\n', next: 8 });
  for (const handoff of ['h9', '../../../token', '..', '', 'h1/../h1', 'h1\u0000']) {
    expect(await refusal(client.jobs.log('one', { handoff, attempt: 1 })), handoff).toBe('RUN_NOT_FOUND');
  }
  expect(await refusal(client.jobs.log('none', { handoff: 'h1', attempt: 1 }))).toBe('RUN_NOT_FOUND');
});

import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { serve } from '../client/served.js';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';

const TIMEOUT = { timeout: 60_000 };

async function served() {
  const stage = new JobStage();
  await stage.shell(
    'fixer',
    `printf 'exports.add = (a, b) => a + b;\\n' > add.js
echo '${JSON.stringify({ ...ANSWERS.completed, evidence_files: ['add.js'] })}'`,
  );
  await stage.scripted('boss', [{ answer: ANSWERS.stuck, times: 1 }, { answer: ANSWERS.completed }]);
  const at = await serve(stage);
  const client = createClient(at);
  const rests = async (id: string): Promise<void> => {
    while (['PENDING', 'RUNNING', 'REVIEWING'].includes((await client.jobs.get(id)).status))
      await new Promise((resolve) => setTimeout(resolve, 50));
  };
  return { stage, client, rests, url: at.url };
}

test('a job is told as it was behind any of its events, with its files and its manifest', TIMEOUT, async () => {
  const { stage, client, rests } = await served();
  await client.jobs.create({
    id: 'j',
    prompt: 'Fix',
    repo: stage.repo,
    agent: 'fixer',
    supervisor: 'boss',
    activate: true,
  });
  await rests('j');
  const [worked, reviewed] = (await client.jobs.relay('j')).items;
  expect([worked?.verdict, reviewed?.verdict, worked?.summary_text]).toEqual(['COMPLETED', 'STUCK', 'Done.']);
  const now = await client.jobs.view('j');
  expect(now).toMatchObject({
    event: now.events,
    status: 'INTERVENTION_REQUIRED',
    why: 'stuck',
    attempts: 2,
    points_taken: 1,
  });
  const then = await client.jobs.view('j', worked?.event);
  expect(then).toMatchObject({
    events: now.events,
    status: 'RUNNING',
    attempts: 1,
    points_taken: 0,
    waits_since: null,
  });
  expect((await client.jobs.relay('j', { at: worked?.event ?? 0 })).items).toMatchObject([
    { verdict: null, answer: null },
  ]);
  expect((await client.jobs.diff('j', { at: worked?.event })).patch).toBe('');
  expect((await client.jobs.diff('j', { attempt: 0 })).patch).toContain('+exports.add = (a, b) => a + b;');
  expect((await client.jobs.diff('j', { attempt: 1 })).patch).toBe('');
  expect((await client.jobs.manifest('j', worked?.event)).history).toEqual([]);
  expect((await client.jobs.manifest('j')).history).toHaveLength(2);
  await expect(client.jobs.view('j', now.events + 1)).rejects.toThrow('there is no event');
  await expect(client.jobs.diff('j', { attempt: 9 })).rejects.toThrow('there is no attempt 9');
  await expect(client.jobs.view('fixer')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
});

test('events of a run are read by their number, and behind a position', TIMEOUT, async () => {
  const { stage, client, rests } = await served();
  await client.jobs.create({
    id: 'j',
    prompt: 'Fix',
    repo: stage.repo,
    agent: 'fixer',
    supervisor: 'none',
    activate: true,
  });
  await rests('j');
  const all = (await client.eventPage({ run: 'j' })).items;
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
  for (const [index, { position }] of all.entries()) {
    expect((await client.eventPage({ run: 'j', after: position })).items).toEqual(all.slice(index + 1));
    expect((await client.eventPage({ run: 'j', from: index + 1, limit: 2 })).items).toEqual(
      all.slice(index, index + 2),
    );
  }
  const [row] = (await client.jobs.relay('j')).items;
  const sha256 = row?.answer?.sha256 ?? '';
  expect((await client.body('j', sha256, row?.event)).text).toContain('COMPLETED');
  await expect(client.body('j', sha256, all.length)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
});

test('without files there is nothing to fork, and what another run is called no job is', TIMEOUT, async () => {
  const { client, rests } = await served();
  await client.jobs.create({ id: 'j', prompt: 'Say', agent: 'boss', supervisor: 'none', activate: true });
  await rests('j');
  await client.jobs.act('j', 'resubmit');
  await rests('j');
  expect(await client.jobs.view('j')).toMatchObject({ status: 'SUCCESS', points_taken: 1 });
  await expect(client.jobs.fork('j')).rejects.toThrow('j has no repository, so p1 has no files to start from');
  expect((await client.runs({ kind: 'job' })).items).toHaveLength(1);
  await expect(client.jobs.create({ id: 'boss', prompt: 'x', agent: 'boss' })).rejects.toMatchObject({
    code: 'ID_TAKEN',
  });
});

test('an item says who made its run, who may not answer it, and who did', TIMEOUT, async () => {
  const stage = new JobStage();
  stage.configure({ sandbox: { mode: 'none' }, approvals: { four_eyes: true } });
  await stage.scripted('boss', [{ answer: ANSWERS.stuck }]);
  const { url, token } = await serve(stage);
  const admin = createClient({ url, token });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const made = await fetch(`${url}/api/v1/tokens`, {
    method: 'POST',
    headers,
    body: '{"name":"eva","role":"steward"}',
  });
  const eva = createClient({ url, token: ((await made.json()) as { token: string }).token });
  expect((await eva.whoami()).may).toContain('inbox.answer');
  expect((await eva.whoami()).may).not.toContain('token.change');
  await eva.jobs.create({ id: 'j', prompt: 'x', agent: 'boss', supervisor: 'none', activate: true });
  while ((await eva.inbox()).items.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await eva.inbox()).items[0]).toMatchObject({
    made_by: 'eva',
    barred: expect.stringContaining('four_eyes'),
    answered: null,
  });
  expect((await admin.inbox()).items[0]).toMatchObject({ made_by: 'eva', barred: null });
  await admin.answer(1, { decision: 'deny' });
  expect(await eva.item(1)).toMatchObject({ status: 'closed', answered: { by: 'anna', did: 'ended the job' } });
});

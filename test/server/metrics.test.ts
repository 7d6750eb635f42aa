import { expect, test, vi } from 'vitest';
import { ServerStage } from './server-stage.js';

const STUCK = { action: 'STUCK', evidence_files: [], summary_for_supervisor: 'Which one?' };

test('/metrics tells what agents did, what was asked of the server and what waits', async () => {
  const stage = await ServerStage.start();
  await stage.scripted('a', [{ answer: STUCK }]);
  const order = { prompt: 'Fix add', agent: 'a', supervisor: 'none', repo: stage.repo, activate: true };
  expect((await stage.post('/jobs', order)).status).toBe(201);
  const metrics = async () => (await stage.ask('GET', '/metrics')).text;
  await vi.waitUntil(async () => (await metrics()).includes('baton_inbox_open 1'), { timeout: 30_000 });
  const text = await metrics();
  expect(text).toMatch(/baton_handoffs_total\{agent="a",outcome="SUCCESS STUCK"\} 1/);
  expect(text).toMatch(/baton_http_requests_total\{method="POST",route="\/api\/v1\/jobs",status="201"\} 1/);
  expect(text).toContain('baton_jobs_pending 0');
  expect((await stage.ask('GET', '/metrics', { token: null })).status).toBe(401);
});

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ANSWERS, prints } from '../jobs/job-stage.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 120_000;
const FIXES = `echo working >&2\nsed -i 's/a - b/a + b/' add.js\n${prints({ ...ANSWERS.completed, evidence_files: ['add.js'] })}`;

test('a job over HTTP: made, run, watched, rejected, approved, read, landed', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  await stage.shell('worker', FIXES);
  const order = { id: 'j', prompt: 'Fix add', agent: 'worker', supervisor: 'none', repo: stage.repo, approve: true };
  const made = await stage.post('/jobs', { ...order, checks: ['node test/add.test.js'] });
  expect([made.status, made.json]).toMatchObject([201, { job_id: 'j', run_id: 'j', status: 'DRAFT', handoff: null }]);
  expect((await stage.post('/jobs/j/run')).json.code, 'a draft is not run').toBe('INVALID_TRANSITION');
  expect((await stage.post('/jobs/j/activate')).status).toBe(200);
  expect((await stage.post('/jobs/j/run')).status).toBe(202);

  const first = await stage.untilStatus('j', 'INTERVENTION_REQUIRED');
  const inbox = await stage.get('/inbox');
  expect(inbox.json.items).toMatchObject([{ item: first.waiting_for, run_id: 'j', kind: 'approval', status: 'open' }]);
  expect((await stage.post('/jobs/j/reject', { guidance: 'Once more.' })).status).toBe(200);
  const second = await stage.untilStatus('j', 'INTERVENTION_REQUIRED');
  expect(second.waiting_for).not.toBe(first.waiting_for);
  expect((await stage.post('/jobs/j/approve')).json.status).toBe('SUCCESS');
  expect((await stage.post('/jobs/j/approve')).json.code).toBe('INVALID_TRANSITION');
  expect((await stage.get(`/inbox/${second.waiting_for}`)).json).toMatchObject({ status: 'closed' });

  const { json: history } = await stage.get('/jobs/j/history');
  expect((history.interactions as unknown as object[]).length).toBe(2);
  expect(JSON.stringify((await stage.get('/jobs/j/manifest')).json)).toContain('"j"');
  expect((await stage.get('/jobs/j/diff')).json.patch).toContain('+exports.add = (a, b) => a + b;');
  const events = await stage.get('/runs/j/events?limit=1000');
  expect(events.json.items?.map(({ seq }) => seq)).toEqual(events.json.items?.map((_, index) => index + 1));
  expect((await stage.get('/runs/j')).json).toMatchObject({ run_id: 'j', kind: 'job', status: 'SUCCESS' });
  expect((await stage.get('/runs?kind=job')).json.items).toMatchObject([{ run_id: 'j' }]);

  const landing = await stage.post('/jobs/j/land', {});
  expect([landing.status, landing.json]).toMatchObject([200, { job_id: 'j', status: 'SUCCESS', landing: 'land-j' }]);
  await expect.poll(() => stage.file('add.js'), { timeout: LONG_MS }).toBe('exports.add = (a, b) => a + b;\n');
  expect((await stage.get('/audit/verify')).json).toMatchObject({ ok: true });
  expect((await stage.get('/audit/head')).json).toMatchObject({ position: expect.any(Number) });
  expect(stage.problems).toEqual([]);
});

test('files that an answer names are read as text, and no others', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const named = { ...ANSWERS.completed, evidence_files: ['page.html', 'raw.bin', 'sub/big.txt'] };
  const makes = [
    "echo '<script>alert(1)</script>' > page.html",
    'printf "a\\000b" > raw.bin',
    'mkdir sub; head -c 2097153 /dev/zero | tr "\\0" x > sub/big.txt',
    'echo hidden > hidden.txt',
  ];
  await stage.shell('worker', `${makes.join('\n')}\n${prints(named)}`);
  await stage.post('/jobs', { id: 'j', prompt: 'x', agent: 'worker', supervisor: 'none', activate: true });
  await stage.untilStatus('j', 'SUCCESS');
  const page = await stage.get('/jobs/j/evidence/page.html');
  expect([page.status, page.text]).toEqual([200, '<script>alert(1)</script>\n']);
  expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(page.headers.get('content-disposition')).toBe('attachment');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  const codes = [
    'raw.bin',
    'sub/big.txt',
    'sub%2fbig.txt',
    'hidden.txt',
    '..%2f..%2f..%2ftoken',
    '%2fetc%2fpasswd',
    '',
  ];
  const told = await Promise.all(codes.map((file) => stage.get(`/jobs/j/evidence/${file}`)));
  expect(told.map(({ status, json }) => `${status} ${json.code}`)).toEqual([
    '415 UNSUPPORTED_MEDIA',
    '413 PAYLOAD_TOO_LARGE',
    '413 PAYLOAD_TOO_LARGE',
    '404 ROUTE_NOT_FOUND',
    '404 ROUTE_NOT_FOUND',
    '404 ROUTE_NOT_FOUND',
    '404 ROUTE_NOT_FOUND',
  ]);
  const workspace = String((await stage.get('/jobs/j')).json.workspace);
  const { rmSync, symlinkSync } = await import('node:fs');
  rmSync(path.join(workspace, 'page.html'));
  expect((await stage.get('/jobs/j/evidence/page.html')).json.code).toBe('EVIDENCE_MISSING');
  symlinkSync(path.join(stage.home, 'token'), path.join(workspace, 'page.html'));
  expect((await stage.get('/jobs/j/evidence/page.html')).json.code).toBe('PATH_REFUSED');
  expect((await stage.get('/jobs/none/evidence/page.html')).json.code).toBe('RUN_NOT_FOUND');
});

test('what an agent prints is read by byte, and followed while it works', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const go = path.join(stage.folder, 'go');
  const script = `echo 'first ä' >&2\nwhile [ ! -e ${go} ]; do sleep 0.05; done\necho second >&2\n${prints(ANSWERS.completed)}`;
  await stage.shell('worker', script);
  await stage.post('/jobs', { id: 'j', prompt: 'x', agent: 'worker', supervisor: 'none', activate: true });
  await expect.poll(async () => (await stage.get('/jobs/j/log')).json.text, { timeout: LONG_MS }).toContain('first ä');
  const page = (await stage.get('/jobs/j/log')).json;
  expect(page).toMatchObject({ run_id: 'j', attempt: 1, ended: false, next: Buffer.byteLength(String(page.text)) });
  const following = stage.get(`/jobs/j/log?after=${page.next}`, { headers: { accept: 'text/event-stream' } });
  writeFileSync(go, '');
  const { text, headers } = await following;
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(text).toMatch(/id: \d+\ndata: \{.*second\\n.*\}\n\n/);
  expect(text).not.toContain('first');
  await stage.untilStatus('j', 'SUCCESS');
  const whole = (await stage.get(`/jobs/j/log?handoff=${page.handoff}`)).json;
  expect(whole).toMatchObject({ text: 'first ä\nsecond\n', ended: true });
  const over = await stage.get(`/jobs/j/log?after=${whole.next}`, { headers: { accept: 'text/event-stream' } });
  expect(over.status, 'browsers need not come back').toBe(204);
  expect((await stage.get('/jobs/j/log?handoff=..%2f..%2ftoken')).json.code).toBe('RUN_NOT_FOUND');
  expect((await stage.get('/jobs/j/log?after=-1')).status).toBe(400);
  expect((await stage.get('/runs/j/log?after=9')).json, 'of a run of any kind').toMatchObject({
    ...{ run_id: 'j', handoff: page.handoff, attempt: 1, text: 'second\n', next: whole.next, ended: true },
  });
  expect((await stage.get('/runs/none/log')).json.code).toBe('RUN_NOT_FOUND');
});

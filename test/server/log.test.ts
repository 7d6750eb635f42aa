import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createScrub } from '../../src/engine/scrub.js';
import { createServerLog } from '../../src/server/log/server-log.js';
import { RotatingFile } from '../../src/system/rotating-file.js';
import { JobStage } from '../jobs/job-stage.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 60_000;
const BIN = path.resolve(import.meta.dirname, '../../bin/baton.cjs');
const SECRET = 'c4nary-0f-a-secret-1234567890';
const SHAPED = `sk-ant-api03-${'A1b2'.repeat(20)}`;

/** As they go over the wire, whatever a client would refuse to send. */
async function raw(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  socket.resume().on('error', () => {});
  await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, 1_000))]);
  socket.destroy();
}

test('every answer has a line with who, what and how long, and nothing that was sent', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start();
  const { headers } = await stage.get(`/runs?q=${SECRET}&kind=job`);
  await stage.get(`/jobs/${SECRET}`);
  await stage.get('/runs', { headers: { 'x-secret': SECRET, cookie: `a=${SECRET}` } });
  await stage.post('/jobs', { prompt: `use ${SECRET} and ${SHAPED}`, agent: SECRET });
  await stage.post('/validate/agent-response', { action: SECRET });
  await stage.get('/runs', { token: `baton_${SECRET}` });
  await stage.ask('GET', `/${SECRET}?token=${stage.token}`);
  await raw(
    stage.server.url,
    `GET /${SECRET} HTTP/1.1\r\nAuthorization: Bearer ${stage.token}\r\nBad Header: ${SECRET}\r\n\r\n`,
  );
  await raw(stage.server.url, `${SECRET}\r\n\r\n`);
  const lines = stage.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(lines[0]).toEqual({
    ...{ level: 30, time: expect.stringMatching(/Z$/), pid: process.pid, msg: 'request' },
    ...{ req_id: headers.get('x-request-id'), method: 'GET', route: '/api/v1/runs', status: 200, who: 'local' },
    ms: expect.any(Number),
  });
  expect(lines.map(({ method, route, status, level }) => [method, route, status, level])).toEqual(
    expect.arrayContaining([
      ['GET', '/api/v1/jobs/:id', 404, 30],
      ['POST', '/api/v1/validate/:contract', 422, 30],
      ['GET', '/api/v1/runs', 401, 40],
      ['GET', 'none', 404, 30],
    ]),
  );
  const all = stage.logged.join('');
  for (const secret of [SECRET, SHAPED, stage.token]) expect(all).not.toContain(secret);
});

test('what fails is logged with its stack and without its secrets', () => {
  const lines: string[] = [];
  const log = createServerLog({ level: 'info', scrub: createScrub([SECRET]), write: (line) => void lines.push(line) });
  log.problem(Object.assign(new Error(`cannot use ${SECRET}`), { detail: { key: SHAPED } }), { req_id: 'r1' });
  log.problem(`thrown ${SECRET}`);
  log.note('warn', `about ${SECRET}`, { [SECRET]: 1 });
  log.note('info', 'fine');
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([50, 50, 40, 30]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    req_id: 'r1',
    err: { stack: expect.stringContaining('log.test.ts') },
  });
  for (const secret of [SECRET, SHAPED]) expect(lines.join('')).not.toContain(secret);
  const quiet: string[] = [];
  createServerLog({ level: 'error', scrub: createScrub([]), write: (line) => void quiet.push(line) }).note('warn', 'x');
  expect(quiet).toEqual([]);
});

test('a file is for its owner alone, and makes room by itself', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'logs', 'server.log');
  const log = new RotatingFile(file, 30);
  for (let number = 1; number <= 9; number += 1) log.write(`line number ${number}\n`);
  log.close();
  const read = (name: string) => readFileSync(name, 'utf8');
  expect([read(file), read(`${file}.1`), read(`${file}.3`)]).toEqual([
    'line number 9\n',
    'line number 7\nline number 8\n',
    'line number 3\nline number 4\n',
  ]);
  expect(existsSync(`${file}.4`)).toBe(false);
  expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  const again = new RotatingFile(file, 30);
  again.write('after a restart\n');
  expect(read(file), 'it goes on where it was').toBe('line number 9\nafter a restart\n');
});

test('baton serve -d logs to the home; the level comes from the flag or the configuration', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  stage.configure({ sandbox: { mode: 'none' }, server: { log_level: 'warn' } });
  const env = { ...process.env, BATON_HOME: stage.home };
  const serve = async (...words: string[]) => {
    const child = spawn(process.execPath, [BIN, 'serve', ...words], { env, stdio: 'ignore' });
    await once(child, 'exit');
  };
  onTestFinished(() => serve('--stop'));
  const file = path.join(stage.home, 'logs', 'server.log');
  await serve('-d', '--port', '0');
  const { url } = JSON.parse(readFileSync(path.join(stage.home, 'server.json'), 'utf8'));
  await fetch(`${url}/healthz`);
  await fetch(`${url}/api/v1/runs`);
  await vi.waitUntil(() => readFileSync(file, 'utf8').includes('/api/v1/runs'), { timeout: 10_000 });
  expect(readFileSync(file, 'utf8'), 'only what is a warning').not.toContain('/healthz');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await serve('--stop');
  await serve('-d', '--port', '0', '--log-level', 'info');
  await vi.waitUntil(() => readFileSync(file, 'utf8').includes('listening'), { timeout: 10_000 });
});

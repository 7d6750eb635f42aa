import { existsSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/server/listen.js';
import { sessionFile } from '../../src/settings/session-file.js';
import { openBaton } from '../../src/wiring.js';
import { baton as bin } from '../cli/run-bin.js';
import { JobStage } from '../jobs/job-stage.js';
import { ServerProcess } from './server-process.js';

const LONG_MS = 60_000;
const TLS = path.resolve(import.meta.dirname, '../meter/tls');

test('a server says where it is, for its owner alone, and leaves nothing when it ends', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  const server = new ServerProcess(stage.home);
  onTestFinished(() => server.stop());
  await server.start();
  const file = path.join(stage.home, 'server.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...{ pid: server.pid, url: server.url, started_at: expect.stringMatching(/Z$/) },
  });
  const modes = ['token', 'server.json'].map((name) => statSync(path.join(stage.home, name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
  expect((await stage.json('serve')).printed.code, 'one for a home').toBe('INVALID_TRANSITION');
  await server.stop();
  expect(existsSync(file)).toBe(false);
});

test.each([
  ['', ['serve', '--port']],
  ['in the background', ['serve', '-d', '--port']],
  ['for sessions alone', ['serve', '--port', '0', '--listen']],
])('a port that is taken ends it with the reason %s', { timeout: LONG_MS }, async (_, words) => {
  const stage = new JobStage();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const address = words.includes('--listen') ? `tcp://127.0.0.1:${port}` : String(port);
  const { code, err } = bin([...words, address], { env: { BATON_HOME: stage.home }, cwd: stage.repo });
  expect(code).toBeGreaterThan(0);
  expect(err).toContain(`somebody else listens at ${words.includes('--listen') ? address : `127.0.0.1:${port}`}`);
  expect(existsSync(path.join(stage.home, 'server.json'))).toBe(false);
});

test('off this machine only with TLS', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  const baton = await openBaton({ home: stage.home, env: {}, cwd: stage.repo, writer: 'main', drives: true });
  onTestFinished(() => baton.close());
  const options = {
    port: 0,
    version: '0',
    localToken: 'baton_x',
    sessionKeeper: sessionFile(stage.home),
    env: {},
    logLevel: 'silent',
    writeLog: () => {},
  } as const;
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'localhost.example']) {
    await expect(listen(baton, { ...options, host })).rejects.toMatchObject({ code: 'USAGE' });
  }
  const read = (name: string) => readFileSync(path.join(TLS, name), 'utf8');
  const tls = { cert: read('cert.pem'), key: read('key.pem') };
  const server = await listen(baton, { ...options, host: '127.0.0.1', tls });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^https:/);
  const status = await new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer baton_x' };
    const asked = request(`${server.url}/api/v1/runs`, { headers, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject).end();
  });
  expect(status).toBe(200);
});

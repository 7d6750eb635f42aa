import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';
import { ask, Stage } from './stage.js';

const LONG_MS = 60_000;
const BIN = path.resolve(import.meta.dirname, '../../bin/baton.cjs');
/** For localhost, signed by itself, and of no use anywhere else. */
const CERTIFICATE = path.resolve(import.meta.dirname, 'tls/cert.pem');
const KEY = 'sk-c4nary-over-tls-0123456789';

/** A provider on the chat wire, behind TLS. */
async function provider(): Promise<{ url: string; keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = [];
  const tls = { cert: readFileSync(CERTIFICATE), key: readFileSync(path.resolve(CERTIFICATE, '../key.pem')) };
  const server: Server = createServer(tls, (request, response) => {
    keys.push(request.headers.authorization);
    request.resume().on('end', () => {
      const content = JSON.stringify(ANSWERS.completed);
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          model: 'scripted',
          choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1_500, completion_tokens: 60 },
        }),
      );
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/v1`, keys };
}

test('a provider behind TLS is reached and counted', { timeout: LONG_MS }, async () => {
  const { url, keys } = await provider();
  const stage = new JobStage();
  await stage.ok(
    ...['agent', 'register', 'critic', '--adapter', 'model', '--wire', 'chat', '--model', 'scripted'],
    ...['--base-url', url],
  );
  const env = { PATH: stage.path, BATON_HOME: stage.home, OPENAI_API_KEY: KEY, NODE_EXTRA_CA_CERTS: CERTIFICATE };
  const words = ['run', 'Judge it', '--id', 'j', '--agent', 'critic', '--supervisor', 'none'];
  const baton = spawn(process.execPath, [BIN, ...words], { cwd: stage.repo, env, stdio: 'ignore' });
  expect(await once(baton, 'exit')).toEqual([0, null]);
  const { printed } = await stage.json('job', 'show', 'j');
  expect(printed).toMatchObject({ status: 'SUCCESS', metrics: { tokens: 1_560 } });
  expect(keys).toEqual([`Bearer ${KEY}`]);
});

test('one whose certificate nobody vouches for never sees the key', async () => {
  const { url, keys } = await provider();
  const login = { mode: 'key', key: KEY, header: 'authorization' } as const;
  const stage = await Stage.step({}, { key: { baseUrl: url, login } });
  onTestFinished(() => stage.close());
  const got = await ask(stage.issue(), 'chat');
  expect([got.status, got.text]).toEqual([502, expect.stringContaining('baton_upstream_unreachable')]);
  expect(stage.failures).toMatchObject([['key', { kind: 'network', reason: expect.stringContaining('SELF_SIGNED') }]]);
  expect(keys).toEqual([]);
});

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Leaving } from '../../src/agents/approvals/leaving.js';
import type { JobStage } from '../jobs/job-stage.js';
import { DONE, MEND, REAL, type RealName, realStage, runs } from './real-stage.js';

const LONG_MS = 120_000;
const HOST = 'packages.example.com';
const WORDS = ['--id', 'j', '--supervisor', 'none', '--check', 'node test/add.test.js'];

/** Asks the way out of the sandbox for a host and keeps what it said: 403 is a no; 502 that nobody is there. */
const CALLS = [
  `node -e '`,
  'const [, port] = process.env.HTTPS_PROXY.match(/:(\\d+)\\/?$/);',
  'const out = require("net").connect(port, "127.0.0.1");',
  `out.end("CONNECT ${HOST}:443 HTTP/1.1\\r\\n\\r\\n");`,
  'out.on("data", (b) => require("fs").appendFileSync("said.txt", b.toString().slice(9, 12) + "\\n"))',
  `' && ${MEND}`,
].join('');

async function leaving(who: RealName, more: readonly string[] = []) {
  const steps = [runs(who, CALLS), { text: DONE }];
  const again = {
    when: { prompt: 'outside of the sandbox' },
    steps: [runs(who, CALLS, 'Again, then.'), { text: DONE }],
  };
  const { stage, model } = await realStage([again, { steps }]);
  const run = await stage.json('run', 'Fix add', '--agent', who, ...WORDS, ...more);
  return { stage, model, run };
}

const said = (stage: JobStage) => {
  const file = path.join(stage.home, 'jobs/j/workspace/said.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
const items = async (stage: JobStage) => (await stage.json('inbox')).printed.items as Record<string, unknown>[];

describe.each(REAL)('a command of %s that would leave the sandbox', { timeout: LONG_MS }, (who) => {
  test('is refused, and a person is asked for the host; a yes opens it for once, in the same conversation', async () => {
    const { stage, run, model } = await leaving(who);
    expect([run.exit, run.printed.status, run.printed.waiting_for]).toEqual([3, 'RUNNING', 1]);
    expect(said(stage)).toEqual(['403']);
    expect(await items(stage)).toMatchObject([
      { kind: 'exec_approval', title: 'approve network', question: HOST, details: { host: HOST, agent: who } },
    ]);
    await stage.ok('answer', '1', '--approve');
    const { printed } = await stage.json('job', 'run', 'j');
    expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
    expect(said(stage)).toEqual(['403', '502']);
    expect(model.served().at(-1)?.replies, 'it remembers').toBeGreaterThanOrEqual(2);
  });
});

describe('a host', { timeout: LONG_MS }, () => {
  test('that a person does not open stays closed, and the agent is told', async () => {
    const { stage } = await leaving('codex');
    await stage.ok('answer', '1', '--deny', '--guidance', 'use what is there');
    await stage.json('job', 'run', 'j');
    expect(said(stage)).toEqual(['403', '403']);
    expect(await items(stage), 'and is not asked for again').toEqual([]);
    expect((await stage.ok('job', 'log', 'j')).out).toContain(`forbids ${HOST}: use what is there`);
  });

  test('is opened for good by an answer for always', async () => {
    const { stage } = await leaving('claude');
    const { err } = await stage.ok('answer', '1', '--approve', '--always', '--for', '7d');
    expect(err).toContain(`Rule 1: ${HOST}`);
    await stage.json('job', 'run', 'j');
    await stage.json('run', 'Fix add', '--agent', 'claude', ...WORDS.with(1, 'k'));
    expect(await items(stage)).toEqual([]);
    const second = readFileSync(path.join(stage.home, 'jobs/k/workspace/said.txt'), 'utf8');
    expect(second, 'at once').toBe('502\n');
  });

  test('that a rule forbids is not asked for, and is closed even where the job names it', async () => {
    const steps = [runs('codex', CALLS), { text: DONE }];
    const { stage } = await realStage([{ steps }]);
    await stage.ok('rule', 'add', 'deny', '--host', '*.example.com');
    const { printed } = await stage.json('run', 'Fix add', '--agent', 'codex', ...WORDS, '--net', HOST);
    expect([printed.status, said(stage)]).toEqual(['SUCCESS', ['403']]);
  });
});

test.each(REAL)('%s reaches for nobody by itself', { timeout: LONG_MS }, async (who) => {
  const refused = vi.spyOn(Leaving.prototype, 'onRefused');
  onTestFinished(() => refused.mockRestore());
  const { stage } = await realStage([{ steps: [runs(who, `sleep 2; ${MEND}`), { text: DONE }] }]);
  const { printed } = await stage.json('run', 'Fix add', '--agent', who, ...WORDS);
  expect([printed.status, refused.mock.calls]).toEqual(['SUCCESS', []]);
});

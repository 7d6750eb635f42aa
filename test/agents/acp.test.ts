import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentsOptions } from '../../src/agents/create-agents.js';
import { startModelServer, type Turn } from '../../src/testing/index.js';
import { PATH } from '../faults/processes/playground.js';
import { JobStage } from '../jobs/job-stage.js';
import { Asker } from './asker.js';
import { OPENCODE } from './real-agents.js';
import { DONE, MEND, realStage, runs } from './real-stage.js';
import { testMetering } from './test-metering.js';

const LONG_MS = 120_000;
const JOB = ['run', 'Fix add', '--id', 'j', '--agent', 'opencode', '--check', 'node test/add.test.js'];
const REGISTER = ['agent', 'register', 'opencode', '--adapter', 'acp'];
const COMMAND = ['--command', JSON.stringify([OPENCODE, 'acp'])];
const EDIT = { name: 'edit', arguments: { filePath: 'add.js', oldString: 'a - b', newString: 'a + b' } };
const SAYS = { text: 'I see to it.', reasoning: 'A sign is wrong.' };
const RUNS_IT: Turn = { steps: [{ ...SAYS, ...runs('opencode', MEND) }, { text: DONE }] };
const EDITS_IT: Turn = { steps: [{ ...SAYS, tool_calls: [EDIT] }, { text: DONE }] };

/** Whatever is asked for by way of a proxy. */
async function recordingProxy(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => asked.push(String(bytes).slice(0, 200)));
    socket.on('error', () => {});
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('a real opencode', { timeout: LONG_MS }, () => {
  test.each([
    ['bwrap', 'openai/gpt-5', 'claude', RUNS_IT, /\$ sed -i .*done: \(no output\)/s],
    ['none', 'anthropic/claude-sonnet-5', 'codex', EDITS_IT, /edits .*add\.js\n.* {2}done/],
  ] as const)('edits, is checked and reviewed, in the sandbox %s with %s', async (mode, name, critic, turn, deed) => {
    const { stage, model } = await realStage([turn], { sandbox: { mode } });
    await stage.ok(...REGISTER, ...COMMAND, '--model', name);
    const { exit, printed } = await stage.json(...JOB, '--supervisor', critic);
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    const served = model.served();
    expect(served.slice(0, 2).map((request) => request.model)).toEqual(Array(2).fill(name.split('/')[1]));
    const used = served.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0);
    expect(printed.metrics).toMatchObject({ tokens: used });
    const { out } = await stage.ok('job', 'log', 'j');
    expect(out).toMatch(/thinks: A sign is wrong\..*says: I see to it\./s);
    expect(out).toMatch(deed);
    const keys = Object.values(stage.extra).join('|');
    const found = spawnSync('grep', ['-rlaE', keys, stage.folder], { encoding: 'utf8' });
    expect([found.status, found.stdout], 'the keys are stored nowhere').toEqual([1, '']);
  });

  test('fetches nothing by itself', async () => {
    const { stage } = await realStage([EDITS_IT], { sandbox: { mode: 'none' } });
    const { url, asked } = await recordingProxy();
    Object.assign(stage.extra, { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '127.0.0.1' });
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
    const env = names.flatMap((name) => ['--env', name]);
    await stage.ok(...REGISTER, ...COMMAND, ...env, '--model', 'anthropic/claude-sonnet-5');
    expect((await stage.json(...JOB, '--supervisor', 'none')).printed.status).toBe('SUCCESS');
    expect(asked).toEqual([]);
  });

  test('is found without a registration, and not asked when there is no key', async () => {
    const stage = new JobStage();
    stage.path = `${path.dirname(OPENCODE)}:${stage.path}`;
    const { printed } = await stage.json(...JOB, '--supervisor', 'none');
    expect(printed.reason).toContain('neither OPENAI_API_KEY nor ANTHROPIC_API_KEY is set');
  });

  test('that would wait for an hour is ended, and its login is known to be at its limit', async () => {
    const limit: Turn = { steps: [{ fault: { kind: 'status', status: 429, retry_after_s: 3_600 } }] };
    const { stage } = await realStage([limit], { on_limit: 'ask' });
    const { exit, printed } = await stage.json(...JOB, '--supervisor', 'none');
    expect([exit, printed.reason]).toEqual([3, 'the provider of the agent asks for a long wait']);
    expect(JSON.stringify(await stage.history('j'))).toContain('HTTP 429');
  });
});

describe('a real opencode that nothing holds', { timeout: LONG_MS }, () => {
  const RUNS = runs('opencode', 'echo ran >> ran.txt');

  async function asker(turns: Turn[], judge: AgentsOptions['judge']) {
    const model = await startModelServer({ turns });
    const environment = { PATH, OPENAI_API_KEY: 'sk-openai-c4nary-123456' };
    const settings = async () => ({ openai: { base_url: `${model.url}/v1` } });
    const metering = testMetering({ environment, settings });
    const here = new Asker({ environment, metering, judge });
    onTestFinished(async () => {
      await Promise.all([metering.close(), model.close()]);
      here.here.clear();
    });
    const usual = { env: [], sandbox: 'workspace-write', model: 'openai/gpt-5', login: undefined } as const;
    here.specs.set('agent', { adapter: 'acp', argv: [OPENCODE, 'acp'], ...usual });
    return { here, model };
  }

  test('asks before it runs a command, is ended, and goes on with the same conversation', async () => {
    const { here, model } = await asker([{ steps: [RUNS, { text: DONE }] }], async () => ({
      decision: 'ask',
      why: 'no rule',
    }));
    const first = await here.ask();
    expect(first).toMatchObject({ type: 'asks', wanted: { kind: 'exec', what: 'echo ran >> ran.txt' } });
    if (first.type !== 'asks') return;
    expect(first.usage.inputTokens).toBe(model.served()[0]?.tokens.input);
    expect([here.here.has('ran.txt'), here.here.survivors()]).toEqual([false, []]);
    const { hash, what } = first.wanted;
    const verdict = { kind: 'exec', hash, what, decision: 'approved', guidance: null } as const;
    const second = await here.ask({ attempt: 2, thread: first.thread ?? '', verdict });
    expect(second).toMatchObject({ type: 'answered', text: DONE, thread: first.thread });
    expect(readFileSync(here.here.file('ran.txt'), 'utf8')).toBe('ran\n');
    expect(new Set(model.served().map(({ headers }) => headers['x-session-id'])).size).toBe(1);
  });

  test('is told what was refused, and goes on', async () => {
    const turns = [{ when: { prompt: 'That was refused' }, steps: [{ text: DONE }] }, { steps: [RUNS] }];
    const { here, model } = await asker(turns, async () => ({ decision: 'deny', reason: 'not here' }));
    expect(await here.ask()).toMatchObject({ type: 'answered', text: DONE });
    expect([here.here.has('ran.txt'), model.served().length]).toEqual([false, 2]);
  });
});

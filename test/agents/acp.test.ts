import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentsOptions } from '../../src/agents/create-agents.js';
import { type ModelServer, type Step, startModelServer, type Turn } from '../../src/testing/index.js';
import { PATH } from '../faults/processes/playground.js';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';
import { Asker } from './asker.js';
import { OPENCODE } from './real-agents.js';
import { testMetering } from './test-metering.js';

const LONG_MS = 120_000;
const ANSWER = '{"action":"COMPLETED","evidence_files":["add.js"],"summary_for_supervisor":"Mended."}';
const MEND = "sed -i 's/a - b/a + b/' add.js";

const JOB = [
  'run',
  'Fix add',
  '--id',
  'j',
  '--agent',
  'oc',
  '--supervisor',
  'critic',
  '--check',
  'node test/add.test.js',
];

const shell = (command: string): Step => ({
  text: 'I mend it.',
  reasoning: 'A sign is wrong.',
  tool_calls: [{ name: 'bash', arguments: { command, description: 'mend' } }],
});

const KEYS = { OPENAI_API_KEY: 'sk-openai-c4nary-123456', ANTHROPIC_API_KEY: 'sk-ant-c4nary-123456' };

async function scene(mode: string, key: keyof typeof KEYS, steps: Step[], ...words: string[]) {
  const model = await startModelServer({ turns: [{ steps }] });
  onTestFinished(() => model.close());
  const stage = new JobStage();
  const providers = { openai: { base_url: `${model.url}/v1` }, anthropic: { base_url: model.url } };
  stage.configure({ sandbox: { mode }, providers });
  stage.extra = { [key]: KEYS[key] };
  const command = JSON.stringify([OPENCODE, 'acp']);
  await stage.ok('agent', 'register', 'oc', '--adapter', 'acp', '--command', command, ...words);
  await stage.scripted('critic', [{ answer: ANSWERS.completed }]);
  return { stage, model };
}

describe('a real opencode', { timeout: LONG_MS }, () => {
  test.each([
    ['bwrap', 'OPENAI_API_KEY', 'openai/gpt-5', 'workspace-write'],
    ['none', 'ANTHROPIC_API_KEY', 'anthropic/claude-sonnet-5', 'danger-full-access'],
  ] as const)('edits, is checked and reviewed, in the sandbox %s with %s', async (mode, key, name, rights) => {
    const words = ['--model', name, '--sandbox', rights];
    const { stage, model } = await scene(mode, key, [shell(MEND), { text: ANSWER }], ...words);
    const { exit, printed } = await stage.json(...JOB);
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    expect(model.served().map((request) => request.model)).toEqual(Array(2).fill(name.split('/')[1]));
    const used = model.served().flatMap(({ tokens }) => [tokens.input, tokens.output]);
    expect(printed.metrics).toMatchObject({ tokens: used.reduce((sum, one) => sum + one, 0) });
    const { out } = await stage.ok('job', 'log', 'j');
    expect(out).toMatch(/thinks: A sign is wrong\..*says: I mend it\..*\$ sed -i .*done: \(no output\)/s);
    const found = spawnSync('grep', ['-rlaF', KEYS[key], stage.folder], { encoding: 'utf8' });
    expect([found.status, found.stdout], 'the key is stored nowhere').toEqual([1, '']);
  });

  test('fetches nothing by itself', async () => {
    const asked: string[] = [];
    const elsewhere = createServer((socket) => {
      socket.on('data', (bytes) => asked.push(String(bytes).slice(0, 200)));
      socket.on('error', () => {});
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
    const rights = ['--sandbox', 'danger-full-access', ...names.flatMap((name) => ['--env', name])];
    const { stage } = await scene('none', 'OPENAI_API_KEY', [shell(MEND), { text: ANSWER }], ...rights);
    const proxy = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    Object.assign(stage.extra, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '127.0.0.1' });
    expect((await stage.json(...JOB)).printed.status).toBe('SUCCESS');
    expect(asked).toEqual([]);
  });

  test('has no provider when there is no key, and is not asked', async () => {
    const { stage, model } = await scene('none', 'OPENAI_API_KEY', []);
    stage.extra = {};
    const { printed } = await stage.json(...JOB);
    expect(printed.reason).toContain('neither OPENAI_API_KEY nor ANTHROPIC_API_KEY is set');
    expect(model.served()).toEqual([]);
  });
});

describe('a real opencode that nothing holds', { timeout: LONG_MS }, () => {
  async function asker(turns: Turn[], judge?: AgentsOptions['judge']): Promise<{ here: Asker; model: ModelServer }> {
    const model = await startModelServer({ turns });
    const environment = { PATH, OPENAI_API_KEY: KEYS.OPENAI_API_KEY };
    const settings = async () => ({ openai: { base_url: `${model.url}/v1` } });
    const metering = testMetering({ environment, settings });
    const here = new Asker({ environment, metering, ...(judge && { judge }) });
    onTestFinished(async () => {
      await Promise.all([metering.close(), model.close()]);
      here.here.clear();
    });
    const usual = { env: [], sandbox: 'workspace-write', model: 'openai/gpt-5', login: undefined } as const;
    here.specs.set('agent', { adapter: 'acp', argv: [OPENCODE, 'acp'], ...usual });
    return { here, model };
  }

  test('asks before it runs a command, and runs it once when a person has said yes', async () => {
    const { here, model } = await asker([{ steps: [shell('echo ran >> ran.txt'), { text: ANSWER }] }]);
    const first = await here.ask();
    expect(first).toMatchObject({ type: 'asks', wanted: { kind: 'exec', what: 'echo ran >> ran.txt' } });
    if (first.type !== 'asks') return;
    expect(first.usage.inputTokens).toBe(model.served()[0]?.tokens.input);
    expect([here.here.has('ran.txt'), here.here.survivors()]).toEqual([false, []]);
    const { hash, what } = first.wanted;
    const verdict = { hash, what, decision: 'approved', guidance: null } as const;
    const second = await here.ask({ attempt: 2, thread: first.thread ?? '', verdict });
    expect(second).toMatchObject({ type: 'answered', text: ANSWER, thread: first.thread });
    expect(readFileSync(here.here.file('ran.txt'), 'utf8')).toBe('ran\n');
    expect(new Set(model.served().map(({ headers }) => headers['x-session-id'])).size).toBe(1);
  });

  test('is told what was refused, and goes on', async () => {
    const turns = [
      { when: { prompt: 'That was refused' }, steps: [{ text: ANSWER }] },
      { steps: [shell('echo ran >> ran.txt')] },
    ];
    const { here, model } = await asker(turns, async () => ({ decision: 'deny', reason: 'not here' }));
    expect(await here.ask()).toMatchObject({ type: 'answered', text: ANSWER });
    expect([here.here.has('ran.txt'), model.served().length]).toEqual([false, 2]);
  });
});

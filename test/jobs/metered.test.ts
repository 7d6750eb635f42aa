import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ModelServer, type Step, startModelServer } from '../../src/testing/index.js';
import { JobStage } from './job-stage.js';

const LONG_MS = 90_000;
const KEY = 'sk-c4nary-0f-the-provider-1234567890';
const WORKER = fileURLToPath(new URL('model-worker.mjs', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../bin/baton.cjs', import.meta.url));
const MODES = ['bwrap', 'none'] as const;

type Scene = { stage: JobStage; model: ModelServer };

async function scene(mode: string, step: Step, ...words: string[]): Promise<Scene> {
  const model = await startModelServer({ turns: [{ steps: [step] }] });
  onTestFinished(() => model.close());
  const stage = new JobStage();
  stage.configure({ sandbox: { mode }, providers: { openai: { base_url: `${model.url}/v1` } } });
  stage.extra = { OPENAI_API_KEY: KEY };
  const command = JSON.stringify([process.execPath, WORKER, ...words]);
  await stage.ok(
    'agent',
    'register',
    'worker',
    '--adapter',
    'command',
    '--command',
    command,
    '--env',
    'OPENAI_API_KEY',
  );
  return { stage, model };
}

const run = ({ stage }: Scene, ...more: string[]) =>
  stage.json('run', 'Fix add', '--id', 'j', '--agent', 'worker', '--supervisor', 'none', ...more);

describe.each(MODES)('an agent that asks a model, in the sandbox %s', { timeout: LONG_MS }, (mode) => {
  test('does so with a token, never with the key; what it used is metered', async () => {
    const here = await scene(mode, { text: 'I mend it.', usage: { input: 700, output: 50 } }, 'stop', 'canary');
    const { exit, printed } = await run(here, '--check', 'node test/add.test.js');
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    expect(printed.metrics).toMatchObject({ tokens: 750 });
    const seen = readFileSync(path.join(String(printed.workspace), 'environment.txt'), 'utf8');
    expect(seen).toContain('"OPENAI_API_KEY":"sk-baton');
    expect(seen).not.toContain(KEY);
    expect((await here.stage.ok('job', 'show', 'j')).out).toMatch(/750 tok of .* metered/);
  });

  test('is stopped in the middle of a turn, ended when it goes on, and the job is halted', async () => {
    const endless = { text: 'word '.repeat(40_000), delta_chars: 50, delta_delay_ms: 1 };
    const here = await scene(mode, endless, 'go-on');
    const { exit, printed } = await run(here, '--max-tokens', '2000');
    expect([exit, printed.status]).toEqual([4, 'HALTED_COST']);
    const { tokens } = printed.metrics as { tokens: number };
    expect(tokens).toBeGreaterThanOrEqual(2000);
    expect(tokens).toBeLessThan(2200);
    const [handoff] = await here.stage.history('j');
    expect(handoff?.response).toMatchObject({ cost_usd: 0 });
    const size = () => readFileSync(path.join(String(printed.workspace), 'still-here.txt')).length;
    const before = size();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(size(), 'nothing of it is left').toBe(before);
    expect(here.model.served().map(({ complete }) => complete)).toEqual([false]);
  });
});

describe('prices of a user', { timeout: LONG_MS }, () => {
  const usage = { input: 700, cached_input: 100, output: 50 };

  test('count for a model that nobody else knows the price of', async () => {
    const here = await scene('none', { text: 'I mend it.', usage }, 'stop');
    const price = { input_usd: 1_000, cached_input_usd: 10, output_usd: 2_000 };
    writeFileSync(path.join(here.stage.home, 'prices.json'), JSON.stringify({ models: { scripted: price } }));
    const { printed } = await run(here);
    expect([printed.status, printed.metrics]).toMatchObject(['SUCCESS', { cost_usd: 0.6 + 0.001 + 0.1 }]);
  });

  test('that are damaged are told with file and place, and nothing is asked', async () => {
    const here = await scene('none', { text: 'I mend it.', usage }, 'stop');
    const file = path.join(here.stage.home, 'prices.json');
    writeFileSync(file, '{"models":{"scripted":{"input_usd":-1,"output_usd":1}}}');
    const { printed } = await run(here);
    expect(printed.status).not.toBe('SUCCESS');
    expect(JSON.stringify(await here.stage.history('j'))).toContain(`${file}: /models/scripted/input_usd`);
    expect(here.model.served()).toEqual([]);
  });
});

test('a limit that is raised in the middle of a turn counts at once', { timeout: LONG_MS }, async () => {
  // 5,000 tokens in 4 seconds.
  const here = await scene('none', { text: 'word '.repeat(4_000), delta_chars: 100, delta_delay_ms: 20 });
  const ended = run(here, '--max-tokens', '3000');
  const spent = path.join(here.stage.home, 'jobs', 'j', 'spent');
  await vi.waitUntil(() => usedIn(spent) > 300, { timeout: 30_000, interval: 50 });
  const { err } = await here.stage.ok('job', 'raise', 'j', '--max-tokens', '100000');
  expect(err).toContain('It is under way');
  expect((await ended).printed.status).toBe('SUCCESS');
  expect(here.model.served().map(({ complete }) => complete)).toEqual([true]);
});

test('what was used until a person cuts in is counted too', { timeout: LONG_MS }, async () => {
  const here = await scene('none', { text: 'word '.repeat(4_000), delta_chars: 100, delta_delay_ms: 20 });
  const spent = path.join(here.stage.home, 'jobs', 'j', 'spent');
  const ended = run(here);
  await vi.waitUntil(() => usedIn(spent) > 300, { timeout: 30_000, interval: 50 });
  await here.stage.ok('job', 'tell', 'j', 'Use the other one', '--now');
  const { printed: told } = await here.stage.json('job', 'show', 'j');
  expect((told.metrics as { tokens: number }).tokens).toBeGreaterThan(300);
  const used = () => readdirSync(spent).reduce((sum, file) => sum + usedOf(path.join(spent, file)), 0);
  await vi.waitUntil(() => readdirSync(spent).length === 2 && used() > 1_000, { timeout: 30_000, interval: 50 });
  await here.stage.ok('job', 'cancel', 'j');
  expect((await ended).printed.metrics).toMatchObject({ tokens: expect.toSatisfy((tokens) => tokens > 800) });
});

describe('what a provider says', { timeout: LONG_MS }, () => {
  test('reaches the matrix: a limit is that of the login, whatever the agent makes of it', async () => {
    const here = await scene('none', { fault: { kind: 'status', status: 429, retry_after_s: 3_600 } });
    const { stage, model } = here;
    const providers = { openai: { base_url: `${model.url}/v1` } };
    stage.configure({ on_limit: 'ask', sandbox: { mode: 'none' }, providers });
    const { exit, printed } = await run(here);
    expect([exit, printed.reason]).toEqual([3, 'the provider of the agent asks for a long wait']);
    expect((await stage.json('status')).printed.paused).toMatchObject([{ login: 'openai', lost: false }]);
    expect(JSON.stringify(await here.stage.history('j'))).toContain('HTTP 429');
  });

  test('a key it does not know calls a person, and says whose', async () => {
    const here = await scene('none', { fault: { kind: 'status', status: 401 } });
    const { printed } = await run(here);
    expect(printed.status).toBe('INTERVENTION_REQUIRED');
    expect(printed.reason).toMatch(/the login of the agent does not work: openai says HTTP 401 .*; the agent: exit 3/);
  });
});

describe('a key', { timeout: LONG_MS }, () => {
  test('that is missing is said with what the agent made of it', async () => {
    const here = await scene('none', { text: 'x' });
    here.stage.extra = {};
    expect((await run(here)).printed.reason).toMatch(/OPENAI_API_KEY is not set; the agent: exit 1/);
  });

  test('that cannot be one calls a person at once, without being told', async () => {
    const here = await scene('none', { text: 'x' });
    here.stage.extra = { OPENAI_API_KEY: `${KEY}\n` };
    const { printed } = await run(here);
    expect(printed.reason).toMatch(/^the login of the agent does not work: the key for .* has a character/);
    expect(JSON.stringify([printed, await here.stage.history('j')])).not.toContain(KEY);
    expect(await here.stage.history('j')).toHaveLength(1);
  });
});

test('what a killed process had used is counted by who takes over', { timeout: LONG_MS }, async () => {
  const slow = { text: 'word '.repeat(4_000), delta_chars: 100, delta_delay_ms: 20 };
  const here = await scene('none', slow);
  const { stage } = here;
  const words = ['run', 'Fix add', '--id', 'j', '--agent', 'worker', '--supervisor', 'none'];
  const env = { ...process.env, BATON_HOME: stage.home, OPENAI_API_KEY: KEY, NO_COLOR: '1' };
  const baton = spawn(process.execPath, [PROGRAM, ...words], { cwd: stage.repo, env, stdio: 'ignore' });
  onTestFinished(() => void baton.kill('SIGKILL'));
  const spent = path.join(stage.home, 'jobs', 'j', 'spent');
  await vi.waitUntil(() => usedIn(spent) > 300, { timeout: 30_000, interval: 50 });
  baton.kill('SIGKILL');
  await new Promise((resolve) => baton.once('exit', resolve));
  const used = usedIn(spent);
  expect(here.model.served().length).toBe(1);
  const { printed } = await stage.json('job', 'run', 'j');
  const whole = here.model.served()[1]?.tokens;
  expect([printed.status, whole?.output]).toEqual(['SUCCESS', 5_000]);
  expect((printed.metrics as { tokens: number }).tokens).toBe(used + (whole?.input ?? 0) + 5_000);
});

function usedIn(folder: string): number {
  try {
    return usedOf(path.join(folder, readdirSync(folder).find((name) => name.endsWith('.json')) ?? ''));
  } catch {
    return 0; // not yet
  }
}

function usedOf(file: string): number {
  const { inputTokens, outputTokens } = JSON.parse(readFileSync(file, 'utf8'));
  return inputTokens + outputTokens;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startModelServer } from '../../src/testing/index.js';
import { JobStage } from './job-stage.js';

const LONG_MS = 90_000;
const WAIT = { timeout: 30_000, interval: 50 };
const PROGRAM = fileURLToPath(new URL('../../bin/baton.cjs', import.meta.url));
const WORKER = fileURLToPath(new URL('model-worker.mjs', import.meta.url));
const KEY = 'sk-c4nary-0f-the-provider-1234567890';

/** A process of its own, and what it says. */
function baton(stage: JobStage, ...words: string[]) {
  const env = { ...process.env, BATON_HOME: stage.home, OPENAI_API_KEY: KEY, NO_COLOR: '1' };
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...words], { cwd: stage.repo, env });
  const said = { err: '' };
  child.stderr?.on('data', (piece) => {
    said.err += piece;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said, exit: once(child, 'exit').then(([code]) => code as number) };
}

const job = (id: string, agent: string, ...more: string[]) => [
  ...['run', 'Fix add', '--id', id, '--agent', agent, '--supervisor', 'none', '--project', 'shop', ...more],
];

async function waitsFor(stage: JobStage, id: string): Promise<unknown> {
  const { items } = (await stage.json('runs', '--kind', 'job')).printed as { items: Record<string, unknown>[] };
  return items.find(({ run_id }) => run_id === id)?.waits_for;
}

test('a budget holds for all processes of a store, asks once, and lets all go on when it is raised', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  const answer = { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' };
  const usage = { input_tokens: 10, output_tokens: 1, cost_usd: 0.6, model: 'm' };
  await stage.shell('dear', `echo x >> $(dirname $0)/asked; echo '${JSON.stringify({ ...answer, x_usage: usage })}'`);
  await stage.ok('budget', 'set', '1', '--project', 'shop');
  for (const id of ['one', 'two']) expect(await baton(stage, ...job(id, 'dear')).exit).toBe(0);
  const waiting = ['three', 'four'].map((id) => baton(stage, ...job(id, 'dear')));
  const other = baton(stage, 'run', 'Fix add', '--id', 'five', '--agent', 'dear', '--supervisor', 'none');
  expect(await other.exit, 'another project').toBe(0);
  for (const id of ['three', 'four']) await vi.waitUntil(async () => (await waitsFor(stage, id)) === 'budget', WAIT);
  const reason = 'project shop has used $1.20 of $1.00 today; goes on at 00:00 UTC, or raise it: baton budget set 2';
  expect((await stage.ok('job', 'show', 'three')).out).toContain(reason);
  for (const { said } of waiting) await vi.waitUntil(() => said.err.includes(reason), WAIT);
  const { items } = (await stage.json('inbox')).printed as { items: { item: number; kind: string; title: string }[] };
  expect(items).toMatchObject([
    { kind: 'limit', title: 'limit reached (shop)', question: expect.stringContaining(reason) },
  ]);
  expect((await stage.json('budget', 'list')).printed.items).toMatchObject([
    {
      project: 'shop',
      per: 'day',
      limit_usd: 1,
      spent_usd: 1.2,
      left_usd: 0,
      resets_at: expect.stringMatching(/T00:00:00.000Z$/),
    },
  ]);
  const number = String(items[0]?.item);
  expect((await stage.cli('answer', number, '--approve')).err).toContain('a budget takes --raise N or --deny');
  expect((await stage.cli('answer', number, '--raise', '1.2')).err).toContain('LIMIT_TOO_LOW');
  await stage.ok('answer', number, '--raise', '10');
  expect(await Promise.all(waiting.map(({ exit }) => exit))).toEqual([0, 0]);
  expect(await stage.history('three'), 'no attempt was used').toHaveLength(1);
  expect(readFileSync(path.join(stage.folder, 'asked'), 'utf8')).toBe('x\n'.repeat(5));
  expect((await stage.json('inbox')).printed.items).toEqual([]);
  expect((await stage.json('cost', '--by', 'project')).printed.items).toMatchObject([
    { key: 'shop', handoffs: 4 },
    { key: 'repo', handoffs: 1 },
  ]);
  await stage.ok('budget', 'set', 'none', '--project', 'shop');
  expect((await stage.json('budget', 'list')).printed.items).toEqual([]);
});

test('what a killed process had spent counts: whoever takes over waits and does not ask again', {
  timeout: LONG_MS,
}, async () => {
  const slow = { text: 'word '.repeat(4_000), delta_chars: 100, delta_delay_ms: 20 };
  const model = await startModelServer({ turns: [{ steps: [slow] }] });
  onTestFinished(() => model.close());
  const stage = new JobStage();
  stage.configure({ sandbox: { mode: 'none' }, providers: { openai: { base_url: `${model.url}/v1` } } });
  stage.extra = { OPENAI_API_KEY: KEY };
  const command = JSON.stringify([process.execPath, WORKER]);
  await stage.ok(
    ...['agent', 'register', 'worker', '--adapter', 'command', '--command', command],
    '--env',
    'OPENAI_API_KEY',
  );
  await stage.ok('budget', 'set', 'none', '--tokens', '300', '--project', 'shop');
  const killed = baton(stage, ...job('j', 'worker'));
  const spent = path.join(stage.home, 'jobs', 'j', 'spent');
  await vi.waitUntil(() => usedIn(spent) > 400, WAIT);
  killed.child.kill('SIGKILL');
  await killed.exit;
  expect((await stage.ok()).out).toMatch(
    / j +RUNNING .* nobody drives it: baton job run j\n\nNext: baton job run j\n$/,
  );
  expect((await stage.ok('job', 'show', 'j')).out).toContain('Nobody drives it. To go on:\n  baton job run j\n');
  const next = baton(stage, 'job', 'run', 'j');
  await vi.waitUntil(async () => (await waitsFor(stage, 'j')) === 'budget', WAIT);
  expect(model.served()).toHaveLength(1);
  const [budget] = (await stage.json('budget', 'list')).printed.items as {
    spent_tokens: number;
    left_tokens: number;
  }[];
  expect([(budget?.spent_tokens ?? 0) > 400, budget?.left_tokens]).toEqual([true, 0]);
  expect((await stage.json('cost', '--by', 'model')).printed.items).toMatchObject([{ key: 'scripted', handoffs: 1 }]);
  await stage.ok('budget', 'set', 'none', '--tokens', '1000000', '--project', 'shop');
  expect(await next.exit).toBe(0);
});

function usedIn(folder: string): number {
  try {
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const { inputTokens, outputTokens } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    return inputTokens + outputTokens;
  } catch {
    return 0; // not yet
  }
}

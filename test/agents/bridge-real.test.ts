import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { REQUEST_FILE, RESPONSE_FILE } from '../../src/contracts/bridge/bridge-file-names.js';
import { startModelServer, type Turn } from '../../src/testing/index.js';
import { BridgeStage, ROOT, THREE_ASKS } from '../bridge/real/bridge-stage.js';
import type { Printed } from '../jobs/job-stage.js';
import { CLAUDE } from './real-agents.js';
import { realStage, runs } from './real-stage.js';

const RESPOND = `"${process.execPath}" "${path.join(ROOT, 'bin/baton.cjs')}" bridge respond`;
const LONG_MS = 240_000;

const turn = (prompt: string, text: string): Turn => ({ when: { prompt }, steps: [{ text }] });

test('three asks of a Python orchestrator are answered by Claude Code [R182] [R225]', {
  timeout: LONG_MS,
}, async () => {
  const { stage, model } = await realStage(
    [
      turn('# Codebase analysis', '{"primary_language":"Go","overall_confidence":0.92}'),
      turn('# Agent creation', 'A reviewer of “Go”.'),
      turn('# Agent enhancement', 'A reviewer of Go, with an example.'),
    ],
    { sandbox: { mode: 'none' } },
  );
  const dir = path.join(stage.folder, 'project');
  mkdirSync(dir);
  const words = ['--agent', 'claude', '--dir', dir, '--json', '--', ...THREE_ASKS];
  const { code, out } = await stage.ok('bridge', 'run', ...words);
  const printed = JSON.parse(out) as Printed;
  expect([code, printed.status, printed.problem]).toEqual([0, 'done', null]);
  expect(printed.requests).toMatchObject(
    [1, 6, 7].map((phase) => ({ phase, agent: 'claude', attempts: 1, status: 'success' })),
  );
  expect(JSON.parse(readFileSync(path.join(dir, 'result.json'), 'utf8'))).toEqual({
    ...{ language: 'Go', agent: 'A reviewer of “Go”.', enhanced: 'A reviewer of Go, with an example.' },
  });
  expect(readdirSync(dir)).toEqual(['result.json']);

  const counted = model.served().reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0);
  const { items } = (await stage.json('cost', '--by', 'run')).printed as { items: { key: string; tokens: number }[] };
  expect(items).toMatchObject([{ key: printed.run_id, tokens: counted }]);
});

test('Claude Code answers a request that waits, from a tool call of its own [R182]', { timeout: LONG_MS }, async () => {
  const answer = '{"primary_language":"Rust","overall_confidence":0.95}';
  const model = await startModelServer({
    turns: [
      { when: { prompt: 'Answer' }, steps: [runs('claude', `echo '${answer}' | ${RESPOND}`), { text: 'Answered.' }] },
    ],
  });
  onTestFinished(() => model.close());
  const stage = new BridgeStage();
  expect((await stage.byHand(THREE_ASKS)).exit).toBe(42);
  const words = ['-p', 'Answer the request in this folder.', '--allowedTools', 'Bash'];
  const { exit, out } = await stage.byHand([CLAUDE, ...words], stage.dir, {
    ...{ BATON_HOME: stage.home, CLAUDE_CONFIG_DIR: path.join(stage.folder, 'claude'), HOME: stage.folder },
    ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-c4nary-123456' },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  });
  expect([exit, out]).toEqual([0, expect.stringContaining('Answered.')]);
  expect(JSON.parse(stage.text(RESPONSE_FILE))).toMatchObject({ status: 'success', response: `${answer}\n` });
  const next = await stage.byHand([...THREE_ASKS, '--resume']);
  expect(next.exit).toBe(42);
  expect(JSON.parse(stage.text(REQUEST_FILE))).toMatchObject({ phase: 6 });
  expect(stage.text(REQUEST_FILE)).toContain('written in Rust');
});

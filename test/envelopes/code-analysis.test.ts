import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEnvelope } from '../../src/contracts/envelope/create-envelope.js';
import type { ExecutionOutput } from '../../src/contracts/generated/types/stage-execution.js';
import type { IntegrationOutput } from '../../src/contracts/generated/types/stage-integration.js';
import { startModelServer } from '../../src/testing/index.js';
import { JobStage } from '../jobs/job-stage.js';

const LONG_MS = 120_000;
const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = 'src/core/envelope/schedule.ts';
const GOAL = 'Name the function that decides which stages are due';

/** What the scripted model says to each stage, which it knows by the first words of its task. */
const SAID = {
  perception: { normalized_input: 'Where is it decided which stages are due?', detected_language: 'en' },
  intent: { intent: 'explain', goals: [GOAL], confidence: 0.9 },
  plan: {
    plan_id: 'plan_1',
    steps: [
      { tool: 'find_symbols', params: { name: 'advance', path: 'src/core/envelope' } },
      { tool: 'code_search', params: { query: 'export function advance', path: 'src/core/envelope' } },
    ],
  },
  critic: { verdict: 'approved', satisfied_goals: [GOAL] },
  integration: { final_response: 'It is advance().', citations: [{ text: 'advance', location: 'src/nowhere.ts:7' }] },
};

const { plan: _, ...THOUGHTS } = SAID;

test('a question about this repository is answered with places that are there', { timeout: LONG_MS }, async () => {
  const lines = readFileSync(path.join(ROOT, FILE), 'utf8').split('\n');
  const location = `${FILE}:${lines.findIndex((line) => line.startsWith('export function advance')) + 1}`;
  const citations = [{ text: 'advance', location }];
  const repaired = { ...SAID.integration, citations };
  const says = (prompt: string, answer: object) => ({ when: { prompt }, steps: [{ text: JSON.stringify(answer) }] });
  const server = await startModelServer({
    turns: [
      says('That was refused: it cites what is not there: src/nowhere.ts:7', repaired),
      // Only who plans is told the tools.
      says('\n- code_search: ', SAID.plan),
      ...Object.entries(THOUGHTS).map(([stage, answer]) => says(`Stage: ${stage}.`, answer)),
    ],
  });
  onTestFinished(() => server.close());
  const stage = new JobStage();
  stage.extra = { OPENAI_API_KEY: 'sk-scripted-0123456789abcdefghij' };
  await stage.ok(
    ...['agent', 'register', 'thinker', '--adapter', 'model', '--model', 'scripted', '--base-url', `${server.url}/v1`],
  );
  const file = path.join(stage.folder, 'envelope.json');
  const asked = { raw_input: SAID.perception.normalized_input };
  const ids = { hex16: () => '0123456789abcdef' };
  writeFileSync(file, JSON.stringify(createEnvelope(asked, ids, new Date().toISOString())));
  const ran = await stage.json('envelope', 'process', file, '--pipeline', 'code-analysis', '--repo', ROOT);
  expect(ran.printed).toMatchObject({
    ...{ terminal_reason: 'completed_successfully', llm_call_count: 6, agent_hop_count: 6, errors: [] },
    goal_completion_status: { [GOAL]: 'satisfied' },
  });
  const { execution, integration } = ran.printed.outputs as {
    execution: ExecutionOutput;
    integration: IntegrationOutput;
  };
  expect(execution.evidence?.map((one) => one.location)).toContain(location);
  expect(integration.citations).toEqual(citations);
});

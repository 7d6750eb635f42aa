import { expect, test } from 'vitest';
import { bridgePrompt, isBridgeAsk } from './bridge-prompt.js';
import { formOf, promptOf } from './cli/prompt.js';
import { modelTask } from './model/model-task.js';

const ASK = { request_id: 'r1', agent_name: 'reviewer', phase_name: 'analysis', prompt: 'Which language is it?' };
const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));

test('what an orchestrator asks is told with its own words, and with the context it gives', () => {
  expect(bridgePrompt(ASK)).toMatchObject({ task: ASK.prompt, rules: expect.stringContaining('as reviewer') });
  const { task } = bridgePrompt({ ...ASK, context: { project_path: '/srv/shop' } });
  expect(task.startsWith(ASK.prompt)).toBe(true);
  expect(task).toContain('{"project_path":"/srv/shop"}');
});

test('whoever has hands and whoever has none are told the same, and held to no form', () => {
  expect(promptOf(bytes(ASK))).toContain(ASK.prompt);
  expect(formOf(bytes(ASK))).toBeNull();
  const task = modelTask(bytes(ASK));
  expect([task.isFree, task.problemOf('any text')]).toEqual([true, null]);
});

test('a request without a prompt is none of an orchestrator', () => {
  const { prompt: _, ...rest } = ASK;
  expect([isBridgeAsk(ASK), isBridgeAsk(rest)]).toEqual([true, false]);
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { type Step, startModelServer } from '../../src/testing/index.js';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';
import { OPENCODE } from './real-agents.js';

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
  await stage.scripted('critic', [ANSWERS.completed]);
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
    console.log(JSON.stringify(printed), (await stage.ok('job', 'log', 'j')).out, model.served());
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
  });
});

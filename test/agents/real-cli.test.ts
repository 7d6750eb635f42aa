import { describe, expect, onTestFinished, test } from 'vitest';
import { type Step, startModelServer } from '../../src/testing/index.js';
import { JobStage } from '../jobs/job-stage.js';
import { CLAUDE, CODEX } from './real-agents.js';

const LONG_MS = 120_000;
const ANSWER = '{"action":"COMPLETED","evidence_files":["add.js"],"summary_for_supervisor":"Mended."}';
const REVIEW = '{"action":"COMPLETED","evidence_files":[],"summary_for_supervisor":"Good."}';
const MEND = "sed -i 's/a - b/a + b/' add.js && git diff --stat";

const TOOLS = {
  codex: (cmd: string): Step => ({ text: 'I mend it.', tool_calls: [{ name: 'exec_command', arguments: { cmd } }] }),
  claude: (command: string): Step => ({
    text: 'I mend it.',
    tool_calls: [{ name: 'Bash', arguments: { command, description: 'mend' } }],
  }),
};
const PROGRAMS = { codex: CODEX, claude: CLAUDE };

async function scene(worker: 'codex' | 'claude', mode: string) {
  const supervisor = worker === 'codex' ? 'claude' : 'codex';
  const model = await startModelServer({
    turns: [
      { when: { prompt: 'You are the Supervisor' }, steps: [{ text: REVIEW }] },
      { steps: [TOOLS[worker](MEND), { text: ANSWER }] },
    ],
  });
  onTestFinished(() => model.close());
  const stage = new JobStage();
  stage.configure({
    sandbox: { mode },
    providers: { openai: { base_url: `${model.url}/v1` }, anthropic: { base_url: model.url } },
  });
  stage.extra = { OPENAI_API_KEY: 'sk-openai-c4nary-123456', ANTHROPIC_API_KEY: 'sk-ant-c4nary-123456' };
  for (const name of ['codex', 'claude'] as const) {
    await stage.ok('agent', 'register', name, '--adapter', name, '--bin', PROGRAMS[name], '--login', 'key');
  }
  return { stage, model, supervisor };
}

describe.each(['codex', 'claude'] as const)('%s works and the other reviews', { timeout: LONG_MS }, (worker) => {
  test.each(['bwrap', 'none'])('in the sandbox %s', async (mode) => {
    const { stage, model, supervisor } = await scene(worker, mode);
    const words = ['--agent', worker, '--supervisor', supervisor, '--check', 'node test/add.test.js'];
    const { exit, printed } = await stage.json('run', 'Fix add', '--id', 'j', ...words);
    console.log((await stage.ok('job', 'log', 'j')).out, model.served().length);
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
  });
});

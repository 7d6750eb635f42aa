import { onTestFinished } from 'vitest';
import { type ModelServer, type Step, startModelServer, type Turn } from '../../src/testing/index.js';
import { JobStage } from '../jobs/job-stage.js';
import { CLAUDE, CODEX, OPENCODE } from './real-agents.js';

export type RealName = 'codex' | 'claude' | 'opencode';
export const REAL: readonly RealName[] = ['codex', 'claude', 'opencode'];

export const DONE = '{"action":"COMPLETED","evidence_files":["add.js"],"summary_for_supervisor":"Mended."}';
export const REVIEWED = '{"action":"COMPLETED","evidence_files":[],"summary_for_supervisor":"Good."}';
export const MEND = "sed -i 's/a - b/a + b/' add.js";
const REGISTERED = {
  codex: ['--adapter', 'codex', '--bin', CODEX, '--login', 'key'],
  claude: ['--adapter', 'claude', '--bin', CLAUDE, '--login', 'key'],
  opencode: ['--adapter', 'acp', '--command', JSON.stringify([OPENCODE, 'acp']), '--model', 'openai/gpt-5'],
};

/** A model that runs a command, in the words of whoever is asked. */
export function runs(who: RealName, command: string, text = 'I see to it.'): Step {
  if (who === 'codex') return { text, tool_calls: [{ name: 'exec_command', arguments: { cmd: command } }] };
  const name = who === 'claude' ? 'Bash' : 'bash';
  return { text, tool_calls: [{ name, arguments: { command, description: 'what is asked' } }] };
}

/** All real agents, logged in by keys, before one scripted model. */
export async function realStage(
  turns: readonly Turn[],
  settings: object = {},
): Promise<{ stage: JobStage; model: ModelServer }> {
  const model = await startModelServer({
    turns: [{ when: { prompt: 'You are the Supervisor' }, steps: [{ text: REVIEWED }] }, ...turns],
  });
  onTestFinished(() => model.close());
  const stage = new JobStage();
  const providers = { openai: { base_url: `${model.url}/v1` }, anthropic: { base_url: model.url } };
  stage.configure({ sandbox: { mode: 'bwrap' }, providers, ...settings });
  stage.extra = { OPENAI_API_KEY: 'sk-openai-c4nary-123456', ANTHROPIC_API_KEY: 'sk-ant-c4nary-123456' };
  for (const name of REAL) await stage.ok('agent', 'register', name, ...REGISTERED[name]);
  return { stage, model };
}

import { onTestFinished } from 'vitest';
import { type ModelServer, type Step, startModelServer, type Turn } from '../../src/testing/index.js';
import { JobStage } from '../jobs/job-stage.js';
import { CLAUDE, CODEX } from './real-agents.js';

export type RealName = 'codex' | 'claude';
export const REAL: readonly RealName[] = ['codex', 'claude'];

export const DONE = '{"action":"COMPLETED","evidence_files":["add.js"],"summary_for_supervisor":"Mended."}';
export const REVIEWED = '{"action":"COMPLETED","evidence_files":[],"summary_for_supervisor":"Good."}';
export const MEND = "sed -i 's/a - b/a + b/' add.js";
const PROGRAMS = { codex: CODEX, claude: CLAUDE };

/** A model that runs a command, in the words of whoever is asked. */
export function runs(who: RealName, command: string, text = 'I see to it.'): Step {
  const call =
    who === 'codex'
      ? { name: 'exec_command', arguments: { cmd: command } }
      : { name: 'Bash', arguments: { command, description: 'what is asked' } };
  return { text, tool_calls: [call] };
}

/** Both real agents, logged in by keys, before one scripted model. */
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
  for (const name of REAL) {
    await stage.ok('agent', 'register', name, '--adapter', name, '--bin', PROGRAMS[name], '--login', 'key');
  }
  return { stage, model };
}

import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type ModelScenario,
  type ModelServer,
  type Step,
  startModelServer,
  type ToolCall,
} from '../../src/testing/index.js';
import { JobStage } from '../jobs/job-stage.js';
import { CLAUDE, CODEX } from './real-agents.js';

export type CliName = 'codex' | 'claude';
const REAL: Readonly<Record<CliName, string>> = { codex: CODEX, claude: CLAUDE };
const FAKE = path.join(import.meta.dirname, 'fake-cli.mjs');

export const MEND = "sed -i 's/a - b/a + b/' add.js";

/** What a model says to let either of them run a command. */
export function runs(name: CliName, command: string): Step {
  return { text: 'I mend it.', tool_calls: [TOOLS[name](command)] };
}

const TOOLS: Readonly<Record<CliName, (command: string) => ToolCall>> = {
  codex: (command) => ({ name: 'exec_command', arguments: { cmd: command, yield_time_ms: 120_000 } }),
  claude: (command) => ({ name: 'Bash', arguments: { command, description: 'work' } }),
};

export function says(action: 'COMPLETED' | 'RETRY' | 'STUCK', evidence: readonly string[] = []): Step {
  return { text: JSON.stringify({ action, evidence_files: evidence, summary_for_supervisor: `I say ${action}.` }) };
}

export type CliStage = {
  stage: JobStage;
  model: ModelServer;
  served(): { tokens: number; replies: number }[];
  /** Once more, with other options. */
  register(name: CliName, ...options: string[]): Promise<void>;
};

/** Codex and Claude Code, the real ones or others in their place, on a model that says what it is told to. */
export async function cliStage(
  scenario: ModelScenario,
  { fake = false, mode = 'bwrap', settings = {} }: { fake?: boolean; mode?: string; settings?: object } = {},
): Promise<CliStage> {
  const model = await startModelServer(scenario);
  onTestFinished(() => model.close());
  const stage = new JobStage();
  stage.configure({
    sandbox: { mode },
    providers: { openai: { base_url: `${model.url}/v1` }, anthropic: { base_url: model.url } },
    ...settings,
  });
  stage.extra = { OPENAI_API_KEY: 'sk-openai-c4nary-123456', ANTHROPIC_API_KEY: 'sk-ant-c4nary-123456' };
  const again = (name: CliName, ...options: string[]) =>
    register(stage, name, fake ? fakeCli(stage, name) : REAL[name], ...options);
  for (const name of ['codex', 'claude'] as const) await again(name);
  const served = () =>
    model
      .served()
      .filter(({ wire }) => wire !== null)
      .map(({ tokens, replies }) => ({ tokens: tokens.input + tokens.output, replies }));
  return { stage, model, served, register: again };
}

export async function register(stage: JobStage, name: CliName, bin: string, ...options: string[]): Promise<void> {
  const login = options.includes('--login') ? [] : ['--login', 'key'];
  await stage.ok('agent', 'register', name, '--adapter', name, '--bin', bin, ...login, ...options);
}

/** One file, as only the program itself can be seen from inside the sandbox. */
export function fakeCli(stage: JobStage, name: CliName | 'command'): string {
  const file = path.join(stage.folder, `${name}.mjs`);
  const dialect = `process.argv.splice(2, 0, '${name}');`;
  writeFileSync(
    file,
    `#!${process.execPath}\n${readFileSync(FAKE, 'utf8').replace('const [dialect', `${dialect}\nconst [dialect`)}`,
  );
  chmodSync(file, 0o755);
  return file;
}

/** A program that is a shell script. */
export function script(stage: JobStage, name: string, body: string): string {
  const file = path.join(stage.folder, `${name}.sh`);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Processes of a job, whatever they are called: they carry its name, as everything that is started for it does. */
export function processesOf(stage: JobStage): { pid: number; line: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const environ = readFileSync(`/proc/${name}/environ`, 'latin1');
      if (!environ.includes(stage.folder) || !environ.includes('BATON_HANDOFF=')) return [];
      const line = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return [{ pid: Number(name), line }];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

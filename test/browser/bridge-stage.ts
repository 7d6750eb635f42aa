import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { BridgeBoard } from '../../src/client/index.js';
import { ROOT } from '../cli/run-bin.js';
import { ConsoleStage, HOSTILE } from './console-stage.js';

type Ask = { phase: number; phase_name: string; agent_name: string; prompt: string };

const ASKS: readonly Ask[] = [
  {
    ...{ phase: 1, phase_name: 'codebase_analysis', agent_name: 'architectural-reviewer' },
    prompt: `# Codebase analysis

You are looking at 30 sampled files of a payments service. Say which language and frameworks it uses, which layers it has, and which patterns its code follows. Name the files that show it.

Answer with one JSON object: technology_stack, layers, patterns, overall_confidence.`,
  },
  {
    ...{ phase: 6, phase_name: 'agent_creation', agent_name: 'architectural-reviewer' },
    prompt: `# Agents for this template

The analysis found four layers and the patterns Repository and Outbox. Propose the agents that somebody who works with this template needs: for each a name, what it is for, and the files it knows best.

Answer with one JSON object: agents, overall_confidence.`,
  },
  {
    ...{ phase: 7, phase_name: 'agent_enhancement', agent_name: 'agent-content-enhancer' },
    prompt: `# Content of the agent "repository-specialist"

Write the body of this agent as Markdown: when it is asked, what it must never do, and three examples that are taken from the files below, with their paths.

Answer with the Markdown alone, or with one JSON object: content, confidence.`,
  },
];

const DONE: Readonly<Record<number, string>> = {
  ...{ 2: 'manifest_generation', 3: 'settings_generation', 4: 'template_files', 5: 'agent_recommendation' },
  ...{ 8: 'assembly', 9: 'validation' },
};

/**
 * Speaks the three files and nothing else. `asks` are made in order; `forever` asks the first one again and again; `stale`
 * leaves a response of somebody else beside its last request.
 */
const ORCHESTRATOR = `
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
const { asks, done, forever, stale } = JSON.parse(readFileSync('plan.json', 'utf8'));
const [REQUEST, RESPONSE, STATE] = ['.agent-request.json', '.agent-response.json', '.template-create-state.json'];
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const now = () => new Date().toISOString();
const resumed = process.argv.includes('--resume') && existsSync(STATE);
const state = resumed ? read(STATE) : { version: '1.0', phase: 1, phase_name: '', checkpoint_name: '', created_at: now(),
  output_path: 'out', completed_phases: [], agent_requests: [] };
const complete = (phase, phase_name) => state.completed_phases.push({ phase, phase_name, completed_at: now() });
if (resumed && existsSync(RESPONSE)) {
  read(RESPONSE);
  const open = state.agent_requests.at(-1);
  open.status = 'completed';
  if (!forever) complete(state.phase, state.phase_name);
}
rmSync(RESPONSE, { force: true });
const asked = forever ? 0 : state.agent_requests.length;
const until = asks[asked]?.phase ?? 10;
for (const [phase, name] of Object.entries(done)) {
  const isNew = !state.completed_phases.some((row) => row.phase === Number(phase));
  if (Number(phase) < until && isNew) complete(Number(phase), name);
}
state.completed_phases.sort((one, other) => one.phase - other.phase);
if (asks[asked]) {
  const request_id = randomUUID();
  const { phase, phase_name, agent_name } = asks[asked];
  state.agent_requests.push({ request_id, agent_name, phase, status: 'pending' });
  Object.assign(state, { phase, phase_name, checkpoint_name: 'before_agent_invocation', created_at: now() });
  writeFileSync(STATE, JSON.stringify(state));
  if (stale && asked === asks.length - 1) {
    const old = { request_id: randomUUID(), version: '1.0', status: 'success', response: '{}', created_at: now() };
    writeFileSync(RESPONSE, JSON.stringify(old));
  }
  writeFileSync(REQUEST, JSON.stringify({ request_id, version: '1.0', ...asks[asked], created_at: now() }));
  process.exit(42);
}
Object.assign(state, { phase: 9, phase_name: 'validation', checkpoint_name: 'end', created_at: now() });
writeFileSync(STATE, JSON.stringify(state));
console.log('done');
`;

const ANALYSIS = {
  technology_stack: { primary_language: 'TypeScript', frameworks: ['Fastify', 'Vitest'] },
  layers: ['routes', 'services', 'repositories', 'outbox'],
  patterns: ['Repository', 'Outbox'],
  overall_confidence: 0.92,
};
const AGENTS = {
  agents: [
    { name: 'repository-specialist', for: 'queries and migrations', knows: 'src/repositories/charge.ts' },
    { name: 'outbox-specialist', for: 'delivery of events', knows: 'src/outbox/relay.ts' },
  ],
  overall_confidence: 0.74,
};

const SCRIPTS: Readonly<Record<string, readonly object[]>> = {
  reviewer: [
    { answer: ANALYSIS, times: 1 },
    { answer: AGENTS, times: 1 },
    { answer: { content: '# Use me', confidence: 0.55 } },
  ],
  slow: [{ answer: ANALYSIS, delay_ms: 600_000 }],
  steady: [{ answer: ANALYSIS }],
  hostile: [{ answer: { [HOSTILE]: HOSTILE, list: [HOSTILE] }, times: 1 }, { answer: HOSTILE }],
};

type Plan = { asks?: readonly Ask[]; forever?: boolean; stale?: boolean };

/** A server, and orchestrators of every kind that other processes handle. */
export class BridgeStage extends ConsoleStage {
  async startWithAgents(): Promise<void> {
    await this.start(async (jobs) => {
      for (const [name, answers] of Object.entries(SCRIPTS)) await jobs.scripted(name, answers);
    });
  }

  /** `baton bridge run` as a process of its own, in a folder of its own. */
  run(name: string, agents: readonly string[], plan: Plan = {}): ChildProcess {
    const dir = path.join(this.jobs.folder, name);
    mkdirSync(dir, { recursive: true });
    const { asks = ASKS, forever = false, stale = false } = plan;
    writeFileSync(path.join(dir, 'plan.json'), JSON.stringify({ asks, done: DONE, forever, stale }));
    writeFileSync(path.join(dir, 'orchestrate.mjs'), ORCHESTRATOR);
    const named = agents.flatMap((agent) => ['--agent', agent]);
    const program = path.join(ROOT, 'bin/baton.cjs');
    const argv = [program, 'bridge', 'run', '--dir', dir, ...named, '--', 'node', 'orchestrate.mjs', name];
    const { home, path: PATH } = this.jobs;
    const env = { BATON_HOME: home, PATH, LANG: 'C.UTF-8', USER: 'anna' };
    const child = spawn(process.execPath, argv, { cwd: dir, env, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    return child;
  }

  /** The run that has come so far. */
  async bridge(name: string, status: string, isSo: (board: BridgeBoard) => boolean = () => true): Promise<BridgeBoard> {
    let last = 'none';
    for (let looks = 0; looks < 600; looks += 1) {
      const { items } = await this.client.runs({ kind: 'bridge' });
      const run = items.find(({ title }) => title?.endsWith(` ${name}`));
      last = run?.status ?? 'none';
      if (run?.status === status) {
        const board = await this.client.bridges.board(run.run_id);
        if (board.status === status && isSo(board)) return board;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${name} is ${last}, not ${status}`);
  }
}

/** Requests whose every name tries to be more than a name. */
export const HOSTILE_ASKS: readonly Ask[] = [1, 6].map((phase) => ({
  ...{ phase, phase_name: HOSTILE, agent_name: HOSTILE, prompt: HOSTILE.repeat(3) },
}));

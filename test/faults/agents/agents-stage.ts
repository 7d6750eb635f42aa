import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { type ModelServer, type Step, startModelServer, type Turn } from '../../../src/testing/index.js';
import { realPrograms } from '../../agents/real-programs.js';
import { buildBaton } from '../jobs/build-baton.js';
import type { SourceBug } from '../stage/build-plugins.js';
import { endLiving, livingAgents } from '../stage/living-agents.js';
import { ProgramProcess } from '../stage/program-process.js';

export type AgentsStageOptions = {
  root: string;
  bug?: SourceBug;
  keep: boolean;
  /** What the model says; a worker's task and a review unless told otherwise. */
  turns?: readonly Turn[];
};
type Shown = { status: string; reason: string | null; metrics: { tokens: number } };

const IDENTITY = ['-c', 'user.name=User', '-c', 'user.email=user@localhost', '-c', 'init.defaultBranch=main'];
const KEYS = { OPENAI_API_KEY: 'sk-openai-c4nary-123456', ANTHROPIC_API_KEY: 'sk-ant-c4nary-123456' };
/** Slow enough to be hit, in a stream as well as in a shell. */
const SLOWLY = { delta_chars: 10, delta_delay_ms: 40 };

/** The real program with the real Codex and the real Claude Code, on a model that says what they are to do. */
export class AgentsStage {
  readonly folder: string;
  readonly store: SqliteStore;
  readonly model: ModelServer;
  readonly problems: string[] = [];
  readonly clis: readonly string[];
  private readonly bin: string;
  private readonly keep: boolean;
  private readonly started = new Set<ProgramProcess>();

  private constructor(of: Pick<AgentsStage, 'folder' | 'store' | 'model' | 'clis'> & { bin: string; keep: boolean }) {
    this.folder = of.folder;
    this.store = of.store;
    this.model = of.model;
    this.clis = of.clis;
    this.bin = of.bin;
    this.keep = of.keep;
  }

  static async set({ root, bug, keep, turns = WORK_AND_REVIEW }: AgentsStageOptions): Promise<AgentsStage> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-faults-'));
    const bin = await buildBaton(root, path.join(folder, 'program'), bug);
    const model = await startModelServer({ turns });
    const home = path.join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    const providers = { openai: { base_url: `${model.url}/v1` }, anthropic: { base_url: model.url } };
    writeFileSync(path.join(home, 'config.json'), JSON.stringify({ sandbox: { mode: 'bwrap' }, providers }));
    makeRepository(path.join(folder, 'repository'));
    const store = await openSqliteStore({ home, writer: 'main' });
    const { codex, claude } = realPrograms(root);
    const stage = new AgentsStage({ folder, store, model, bin, keep, clis: [codex, claude] });
    for (const [name, program] of Object.entries({ codex, claude })) {
      await stage.run('agent', 'register', name, '--adapter', name, '--bin', program, '--login', 'key');
    }
    return stage;
  }

  /** By it everything that is started here is found in the list of processes. */
  get token(): string {
    return path.basename(this.folder);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', [...IDENTITY, ...args], { cwd: path.join(this.folder, 'repository'), encoding: 'utf8' });
  }

  /** As a person types it, and again when it was killed before the job was there. */
  async drive(job: string): Promise<ProgramProcess> {
    if (await this.store.run(job)) return this.start(['job', 'run', job]);
    const who = ['--agent', 'codex', '--supervisor', 'claude', '--check', 'grep -q mended add.js'];
    return this.start(['run', 'Mend it', '--id', job, ...who]);
  }

  async run(...args: readonly string[]): Promise<string> {
    const lines: string[] = [];
    const started = this.start(args, (line) => lines.push(line));
    const { code } = await started.ended;
    if (code !== 0) this.problems.push(`${args.join(' ')} failed (${code}): ${started.last.join(' / ')}`);
    return lines.join('\n');
  }

  /** Undefined when it cannot be shown, which is a problem. */
  async show(job: string): Promise<Shown | undefined> {
    const printed = await this.run('job', 'show', job, '--json');
    return printed === '' ? undefined : (JSON.parse(printed) as Shown);
  }

  /** Whether a tool that this runner itself has started is at work: what an earlier one left may live for a moment. */
  isAsking({ pid }: ProgramProcess): boolean {
    const living = livingAgents(this.token);
    const parents = new Map(living.map((one) => [one.pid, one.parent]));
    const isOurs = (one: number | undefined): boolean => one !== undefined && (one === pid || isOurs(parents.get(one)));
    return living.some((one) => this.clis.some((cli) => one.command.startsWith(cli)) && isOurs(one.parent));
  }

  async clear(): Promise<void> {
    for (const one of this.started) if (!one.exit) await one.kill();
    endLiving(livingAgents(this.token));
    await this.model.close();
    await this.store.close();
    if (this.keep) return console.log(`kept: ${this.folder}`);
    rmSync(this.folder, { recursive: true, force: true });
  }

  start(args: readonly string[], onLine: (line: string) => void = () => {}): ProgramProcess {
    const { PATH = '/usr/bin:/bin' } = process.env;
    const home = { HOME: this.folder, BATON_HOME: path.join(this.folder, 'home') };
    const env = { PATH, ...home, ...KEYS, USER: 'somebody', GIT_CONFIG_NOSYSTEM: '1', NO_COLOR: '1' };
    const started = new ProgramProcess(
      args.slice(0, 2).join(' '),
      [process.execPath, this.bin, ...args],
      (verb, rest) => {
        if (this.keep) appendFileSync(path.join(this.folder, 'said.log'), `${args[1]} ${verb} ${rest}\n`);
        if (verb !== 'stderr') onLine(`${verb} ${rest}`.trimEnd());
      },
      { env, cwd: path.join(this.folder, 'repository') },
    );
    this.started.add(started);
    void started.ended.then(() => this.started.delete(started));
    return started;
  }
}

export function exec(cmd: string): Step {
  return { ...SLOWLY, text: 'I go on with it.', tool_calls: [{ name: 'exec_command', arguments: { cmd } }] };
}

export function bash(command: string): Step {
  return {
    ...SLOWLY,
    text: 'I look at it.',
    tool_calls: [{ name: 'Bash', arguments: { command, description: 'look' } }],
  };
}

export function answer(...evidence_files: string[]): Step {
  const response = { action: 'COMPLETED', evidence_files, summary_for_supervisor: 'It is mended, as the file shows.' };
  return { ...SLOWLY, text: JSON.stringify(response) };
}

const WORK_AND_REVIEW: readonly Turn[] = [
  { when: { prompt: 'You are the Supervisor' }, steps: [bash('sleep 0.3; cat add.js'), answer()] },
  { steps: [exec('sleep 0.4; touch begun'), exec('sleep 0.4; echo mended >add.js'), answer('add.js')] },
];

function makeRepository(folder: string): void {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'add.js'), 'broken\n');
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-q', '-m', 'The beginning'],
  ]) {
    execFileSync('git', [...IDENTITY, ...args], { cwd: folder });
  }
}

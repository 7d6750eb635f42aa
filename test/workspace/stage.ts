import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CheckedWork, JobDeeds, Prepared, Reading, Workspace } from '../../src/core/job/job-deeds.js';
import type { ProcessRow } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import type { Gate } from '../../src/sandbox/process-rows.js';
import { fileSecrets } from '../../src/system/file-secrets.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { nodeHasher } from '../../src/system/node-hasher.js';
import { createJobDeeds } from '../../src/workspace/create-job-deeds.js';
import type { WorkspaceOptions } from '../../src/workspace/deed.js';

export const RUN = 'fix-login-7k2';
const PATH = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin';

type Ready = Workspace & { setupMs: number; leftOut: number; notes: string[] };

/** A user with a repository, a home of Baton's, and deeds done for one run. */
export class Stage {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'baton-workspace-'));
  readonly repo = path.join(this.root, 'user', 'project');
  readonly home = path.join(this.root, 'home');
  readonly rows: ProcessRow[] = [];
  readonly abort = new AbortController();
  readonly bodies = new Map<string, Uint8Array>();
  readonly environment: NodeJS.ProcessEnv = {
    PATH,
    HOME: path.join(this.root, 'user'),
    LANG: 'C',
    SECRET: 'hunter2hunter2',
  };
  run = RUN;
  /** Of its own: ending what carries the marker must not end what another test has started. */
  readonly scope = `test-${randomUUID()}`;
  extra: Partial<WorkspaceOptions> = {};

  constructor() {
    mkdirSync(this.repo, { recursive: true });
    this.write('../.gitconfig', '[user]\n\tname = User\n\temail = user@example.org\n[init]\n\tdefaultBranch = main\n');
  }

  get gate(): Gate {
    const { rows } = this;
    const table = {
      add: async (row: ProcessRow) => rows.push(row) > 0,
      remove: async ({ pid }: { pid: number }) =>
        void rows.splice(
          rows.findIndex((row) => row.pid === pid),
          1,
        ),
      list: async () => rows,
    };
    return { table, worker: 'worker-1', scope: this.scope, oneMachine: true };
  }

  get options(): WorkspaceOptions {
    const { home, gate, environment, extra } = this;
    return {
      home,
      gate,
      environment,
      clock: nodeClock,
      scrub: createScrub(['hunter2hunter2']),
      hasher: nodeHasher,
      secretsIn: fileSecrets,
      ...extra,
    };
  }

  get held() {
    return { run: this.run, epoch: 1 };
  }

  get workspace(): string {
    return path.join(this.home, 'jobs', this.run, 'workspace');
  }

  /** With two files and one commit. */
  commitFirst(): this {
    this.git('init', '-q');
    this.write('a.txt', 'one\n');
    this.write('src/b.txt', 'two\n');
    this.write('.gitignore', 'node_modules/\n*.log\n');
    this.git('add', '.');
    this.git('commit', '-q', '-m', 'first');
    return this;
  }

  write(file: string, text: string, mode?: number): void {
    this.put(path.join(this.repo, file), text, mode);
  }

  /** Into the workspace, as an agent does. */
  work(file: string, text: string, mode?: number): void {
    this.put(path.join(this.workspace, file), text, mode);
  }

  put(file: string, text: string, mode?: number): void {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (mode !== undefined) chmodSync(file, mode);
  }

  git(...args: string[]): string {
    return this.gitIn(this.repo, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    const { HOME } = this.environment;
    return execFileSync('git', args, { cwd, encoding: 'utf8', env: { PATH, HOME }, stdio: 'pipe' }).trim();
  }

  read(file: string): string {
    return readFileSync(path.join(this.workspace, file), 'utf8');
  }

  has(file: string): boolean {
    return existsSync(path.join(this.workspace, file));
  }

  async perform<Name extends keyof JobDeeds>(name: Name, input: JobDeeds[Name]['input'], key: string = name) {
    const store = { body: async (sha256: string) => this.bodies.get(sha256) };
    const deeds = createJobDeeds({ ...this.options, store });
    const effect = { type: 'Perform', key, deed: `job.${name}`, input } as const;
    const { result, bodies = [] } = await deeds.perform(this.held, effect, this.abort.signal);
    for (const { sha256, bytes } of bodies) this.bodies.set(sha256, bytes);
    return result as JobDeeds[Name]['result'];
  }

  prepare(
    input: Partial<JobDeeds['prepare']['input']> & {
      dirty?: boolean;
      base?: string | null;
      paths?: string[];
      folder?: string;
    } = {},
  ): Promise<Prepared> {
    const { dirty = false, base = null, paths = [], folder = this.repo, ...rest } = input;
    const repository = { folder, base, dirty, paths };
    return this.perform(
      'prepare',
      { repository, setup: null, env: [], forkedFrom: null, before: null, ...rest },
      'workspace',
    );
  }

  async ready(input: Parameters<Stage['prepare']>[0] = {}): Promise<Ready> {
    const prepared = await this.prepare(input);
    if ('problem' in prepared) throw new Error(prepared.problem);
    return prepared as Ready;
  }

  get place(): Workspace {
    const record = path.join(this.home, 'jobs', this.run, 'workspace.json');
    // Of an empty folder nothing is recorded.
    if (!existsSync(record)) return { folder: this.workspace, branch: null, base: null };
    const { prepared } = JSON.parse(readFileSync(record, 'utf8'));
    return { folder: prepared.folder, branch: prepared.branch, base: prepared.base };
  }

  /** Hands in an answer. */
  collect(evidence_files: string[] = [], handoff = 'ask-1', more: object = {}) {
    const summary_for_supervisor = 'It is done. It works.';
    const text = JSON.stringify({ action: 'COMPLETED', evidence_files, summary_for_supervisor, ...more });
    const answer = this.store(text);
    const input = { workspace: this.place, answer, handoff, phase: 'implementation', exact: false };
    return this.perform('collect', input, `collect-${handoff}.1`) as Promise<Reading>;
  }

  check(checks: string[][], protect: string[] = [], env: string[] = []) {
    const input = { workspace: this.place, handoff: 'ask-1', checks, protect, env };
    return this.perform('check', input, 'check-ask-1.1') as Promise<CheckedWork>;
  }

  restore(commit: string, files: string[] = [], key = 'restore-1') {
    return this.perform('restore', { workspace: this.place, commit, files }, key);
  }

  store(text: string): { sha256: string; bytes: number } {
    const bytes = new TextEncoder().encode(text);
    const sha256 = nodeHasher.sha256(bytes);
    this.bodies.set(sha256, bytes);
    return { sha256, bytes: bytes.length };
  }

  text(ref: { sha256: string } | null): string {
    return new TextDecoder().decode(ref ? this.bodies.get(ref.sha256) : undefined);
  }

  /** Everything of the user's that must stay as it is: files, index, settings, hooks, stash, refs that are not the job's. */
  fingerprint(): object {
    const quiet = (...args: string[]) => this.git('--no-optional-locks', ...args);
    const refs = quiet('for-each-ref')
      .split('\n')
      .filter((line) => !/refs\/(heads\/)?baton\//.test(line));
    const hidden = new Set(['objects', 'refs', 'logs', 'packed-refs']);
    const own = listed(path.join(this.repo, '.git'), (name) => hidden.has(name));
    return {
      status: quiet('status', '--porcelain'),
      stash: quiet('stash', 'list'),
      refs,
      own,
      tree: listed(this.repo, (name) => name === '.git'),
    };
  }

  clear(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function listed(folder: string, isHidden: (name: string) => boolean): string[] {
  return readdirSync(folder)
    .filter((name) => !isHidden(name))
    .sort()
    .flatMap((name) => {
      const file = path.join(folder, name);
      const stats = lstatSync(file);
      if (stats.isDirectory()) return [`${file}/`, ...listed(file, () => false)];
      const content = stats.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : '';
      return [`${file} ${stats.mode} ${stats.mtimeMs} ${content}`];
    });
}

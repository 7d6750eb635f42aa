import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { GIT_SETTINGS, gitEnvironment } from './git-environment.js';
import { type Errand, runGated } from './run-gated.js';

export type GitCall = {
  args: readonly string[];
  cwd: string;
  /** Without it git looks for the repository around `cwd`. */
  dir?: string;
  tree?: string;
  index?: string;
  stdin?: string | Uint8Array;
  /** Names of files among the arguments are names, not patterns. */
  literal?: boolean;
  /** Of git's settings, for this call. */
  settings?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  /** With the user's own settings it may start programs, which may stay. */
  asUser?: boolean;
};

export type GitEnd = { code: number; out: Buffer; said: string };

export class GitMissing extends Error {
  override readonly name = 'GitMissing';
}

const GIT_MS_MAX = 30 * 60_000;
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
/** Of what git says on stderr; its stdout is gathered apart, whole. */
const SAID_BYTES_MAX = 16 * 1024;

export class Git {
  readonly #errand: Errand;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(errand: Errand, environment: NodeJS.ProcessEnv) {
    this.#errand = errand;
    this.#environment = environment;
  }

  /** Runs git to its end, whatever its exit code. */
  async run(call: GitCall): Promise<GitEnd> {
    const { args, cwd, dir, tree, index, stdin, literal, settings = {}, env = {}, asUser = false } = call;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const own = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const end = await runGated(this.#errand, {
      argv: ['git', ...GIT_SETTINGS, ...own, ...args],
      cwd,
      env: {
        ...gitEnvironment(this.#environment),
        ...(dir !== undefined && { GIT_DIR: dir }),
        ...(tree !== undefined && { GIT_WORK_TREE: tree }),
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
        ...(literal && { GIT_LITERAL_PATHSPECS: '1' }),
        ...env,
      },
      ...(stdin !== undefined && { stdin }),
      // Hooks, filters, monitors and upkeep are off: git starts only itself.
      staysInGroup: !asUser,
      msMax: GIT_MS_MAX,
      outputBytesMax: SAID_BYTES_MAX,
      onOutput(chunk) {
        bytes += chunk.length;
        if (bytes <= OUTPUT_BYTES_MAX) chunks.push(chunk);
      },
    });
    if (!end.found) throw new GitMissing(end.stderr);
    if (bytes > OUTPUT_BYTES_MAX) throw new Error(`git ${args[0]} printed ${bytes} bytes`);
    if (end.exitCode === null) throw new Error(`git ${args[0]} was ended${end.timedOut ? ': it took too long' : ''}`);
    return { code: end.exitCode, out: Buffer.concat(chunks), said: end.stderr.trim() };
  }

  /** What it prints; rejects when it fails. */
  async out(call: GitCall): Promise<Buffer> {
    const { code, out, said } = await this.run(call);
    if (code !== 0) throw new Error(`git ${call.args[0]} failed (${code}): ${said.slice(-2_000)}`);
    return out;
  }

  async line(call: GitCall): Promise<string> {
    return (await this.out(call)).toString('utf8').trim();
  }
}

/** Paths are bytes. Read and written as Latin-1 they come back as they were, whatever they are. */
export function splitPaths(out: Buffer): string[] {
  return out.toString('latin1').split('\0').filter(Boolean);
}

export function joinPaths(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((one) => `${one}\0`).join(''), 'latin1');
}

/** A path as people read it. */
export function shownPath(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

/** Only the owner of the run works here, and what an earlier one started is ended: a lock that is there is left over. */
export function dropStaleLocks(dir: string, names: readonly string[]): void {
  for (const name of names) {
    const lock = path.join(dir, `${name}.lock`);
    if (existsSync(lock)) rmSync(lock);
  }
}

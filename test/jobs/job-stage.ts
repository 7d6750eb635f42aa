import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { recordingIo } from '../../src/cli/recording-io.js';
import { runCli } from '../../src/cli/run-cli.js';
import type { JobInteraction } from '../../src/contracts/generated/types/job-history.js';
import { fullCommands } from '../../src/main.js';
import { removeFolder } from '../../src/workspace/remove-folder.js';

export type Said = { code: number; out: string; err: string };
/** Whatever a command printed as JSON. */
export type Printed = { [name: string]: unknown; code?: string; status?: string };

const LOOK_MS = 20;
/** After ten thousand runs there is much to remove. */
const REMOVE_MS_MAX = 120_000;

export const ANSWERS = {
  completed: { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' },
  retry: { action: 'RETRY', evidence_files: [], summary_for_supervisor: 'Once more.' },
  stuck: { action: 'STUCK', evidence_files: [], summary_for_supervisor: 'I do not know how.' },
} as const;

/** A home, a real repository with a failing test, and agents that are shell scripts or scripts of answers. */
export class JobStage {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'baton-jobs-'));
  readonly home = path.join(this.folder, 'home');
  readonly repo = path.join(this.folder, 'repo');
  /** Where programs are looked for. */
  path = process.env.PATH ?? '';
  terminal = false;
  /** Further variables of the environment. */
  extra: Record<string, string> = {};

  constructor() {
    onTestFinished(() => removeFolder(this.folder), REMOVE_MS_MAX);
    // Agents of tests reach into the stage; those that are held have tests of their own.
    this.configure({ sandbox: { mode: 'none' } });
    mkdirSync(path.join(this.repo, 'test'), { recursive: true });
    this.write('add.js', 'exports.add = (a, b) => a - b;\n');
    this.write('test/add.test.js', "if (require('../add.js').add(1, 2) !== 3) process.exit(1);\n");
    this.git('init', '--quiet', '--initial-branch=main');
    this.commit('first');
  }

  configure(settings: object): void {
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(this.home, 'config.json'), JSON.stringify(settings));
  }

  write(file: string, text: string): void {
    writeFileSync(path.join(this.repo, file), text);
  }

  git(...args: string[]): string {
    const who = ['-c', 'user.name=anna', '-c', 'user.email=anna@example.com'];
    return execFileSync('git', [...who, ...args], { cwd: this.repo, encoding: 'utf8' }).trim();
  }

  commit(message: string): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', `--message=${message}`);
    return this.git('rev-parse', 'HEAD');
  }

  /** Everything of the user's checkout that Baton must leave alone. */
  checkout(): string {
    const index = createHash('sha256')
      .update(readFileSync(path.join(this.repo, '.git/index')))
      .digest('hex');
    return [this.git('status', '--porcelain'), this.git('rev-parse', 'HEAD'), this.git('stash', 'list'), index].join(
      '\n',
    );
  }

  /** An agent that is a shell script; `$REQUEST` holds the request object. */
  async shell(id: string, script: string): Promise<void> {
    const file = path.join(this.folder, `${id}.sh`);
    writeFileSync(file, `#!/bin/sh\nREQUEST=$(cat)\n${script}\n`);
    chmodSync(file, 0o755);
    await this.ok('agent', 'register', id, '--adapter', 'command', '--command', file);
  }

  /** An agent that answers from a list. */
  async scripted(id: string, answers: readonly object[]): Promise<void> {
    const file = path.join(this.folder, `${id}.json`);
    writeFileSync(file, JSON.stringify({ answers }));
    await this.ok('agent', 'register', id, '--adapter', 'scripted', '--file', file);
  }

  cli(...argv: string[]): Promise<Said> {
    return this.typing([], ...argv);
  }

  /** With a person at the terminal who types these lines, one when asked, and then nothing more. */
  async typing(lines: readonly string[], ...argv: string[]): Promise<Said> {
    const env = { BATON_HOME: this.home, LANG: 'C.UTF-8', NO_COLOR: '1', PATH: this.path, USER: 'anna', ...this.extra };
    const left = [...lines];
    const terminal = { out: this.terminal, err: this.terminal };
    const person = lines.length === 0 ? {} : { ask: async () => left.shift() };
    const io = { ...recordingIo({ env, cwd: this.repo }), terminal, ...person };
    const code = await runCli(argv, io, async ({ name }) => {
      const run = fullCommands[name];
      if (!run) throw new Error(`${name} is of the quick tier`);
      return run;
    });
    return { code, ...io.said };
  }

  /** Its exit code beside what it printed as JSON. */
  async json(...argv: string[]): Promise<{ exit: number; printed: Printed }> {
    const { code, out, err } = await this.cli(...argv, '--json');
    try {
      return { exit: code, printed: JSON.parse(out) as Printed };
    } catch {
      throw new Error(`${argv.join(' ')} printed no JSON: ${out}${err}`);
    }
  }

  async ok(...argv: string[]): Promise<Said> {
    const said = await this.cli(...argv);
    if (said.code !== 0) throw new Error(`${argv.join(' ')} ended with ${said.code}: ${said.err}`);
    return said;
  }

  async history(job: string): Promise<JobInteraction[]> {
    return (await this.json('job', 'history', job)).printed.interactions as JobInteraction[];
  }

  /** A file beside the repository, by which an agent says how far it is. */
  async until(name: string): Promise<void> {
    while (!existsSync(path.join(this.folder, name))) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  touch(name: string): void {
    writeFileSync(path.join(this.folder, name), '');
  }

  file(name: string): string {
    return readFileSync(path.join(this.repo, name), 'utf8');
  }
}

/** What a shell agent prints. */
export function prints(answer: object): string {
  return `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER`;
}

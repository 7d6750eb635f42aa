import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ConfigFile } from '../../src/contracts/generated/types/config.js';
import type { PlanStep } from '../../src/contracts/generated/types/stage-plan.js';
import type { Clock } from '../../src/engine/ports.js';
import { nodeClock } from '../../src/system/node-clock.js';
import type { Machine } from '../../src/tools/machine.js';
import { runSteps } from '../../src/tools/run-steps.js';
import type { Params, ToolEnd, ToolFailure } from '../../src/tools/tool.js';
import { createToolbox, type Toolbox } from '../../src/tools/toolbox.js';
import { fileTable } from '../faults/processes/tables.js';

const PATH = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin';
type Tools = NonNullable<ConfigFile['tools']>;

/** A user's folder, a machine, and the tools on it. */
export class Bench {
  readonly root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'baton-toolbox-')));
  readonly folder = path.join(this.root, 'project');
  readonly abort = new AbortController();
  readonly environment: NodeJS.ProcessEnv = { PATH, BATON_TOKEN: 'never-passed-on', WANTED: 'wanted', OTHER: 'other' };
  readonly rows = fileTable(path.join(this.root, 'rows'));
  tools: Tools = {};
  confine: Machine['confine'];
  /** Baton's own folder, inside of the user's. */
  home = path.join(this.folder, 'own/home');
  clock: Clock = nodeClock;

  constructor() {
    mkdirSync(this.folder);
  }

  write(name: string, text: string | Uint8Array, mode?: number): string {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (mode !== undefined) chmodSync(file, mode);
    return file;
  }

  /** A program of the user's own, outside of the folder. */
  program(name: string, text: string): string {
    return this.write(`../bin/${name}`, `#!/bin/sh\n${text}\n`, 0o755);
  }

  git(...args: string[]): void {
    const identity = {
      GIT_AUTHOR_NAME: 'u',
      GIT_AUTHOR_EMAIL: 'u@e',
      GIT_COMMITTER_NAME: 'u',
      GIT_COMMITTER_EMAIL: 'u@e',
    };
    execFileSync('git', args, { cwd: this.folder, env: { PATH, ...identity }, stdio: 'ignore' });
  }

  async toolbox(): Promise<Toolbox> {
    const gate = { table: this.rows, worker: 'worker-1', scope: `test-${randomUUID()}`, oneMachine: true };
    const { environment, confine, clock, home } = this;
    const machine = { gate, clock, environment, home, ...(confine && { confine }) };
    return createToolbox({ ...machine, tools: async () => this.tools }).open();
  }

  get around() {
    return { folder: this.folder, signal: this.abort.signal, held: { run: 'env-1', epoch: 1 }, key: 'execution-1' };
  }

  async use(tool: string, params: Params = {}): Promise<ToolEnd> {
    const found = (await this.toolbox()).find(tool);
    if (!found) throw new Error(`there is no ${tool}`);
    return found.run(params, this.around);
  }

  /** What it gave; a failure is thrown. */
  // biome-ignore lint/suspicious/noExplicitAny: results are as many as tools
  async gives(tool: string, params: Params = {}): Promise<any> {
    const end = await this.use(tool, params);
    if ('failure' in end) throw new Error(JSON.stringify(end.failure));
    return end.result;
  }

  async fails(tool: string, params: Params = {}): Promise<ToolFailure> {
    const end = await this.use(tool, params);
    if (!('failure' in end)) throw new Error(`it gave ${JSON.stringify(end.result)}`);
    return end.failure;
  }

  async run(steps: readonly PlanStep[], confirmed: string | null = null, allowed = steps.map(({ tool }) => tool)) {
    const options = { toolbox: await this.toolbox(), allowed, clock: this.clock, confirmed };
    return runSteps(steps, { ...this.around, ...options });
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

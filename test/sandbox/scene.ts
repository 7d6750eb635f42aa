import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Gate } from '../../src/sandbox/process-rows.js';
import type { Confinement, Sandbox } from '../../src/sandbox/sandbox.js';
import { type SpawnRequest, spawnGated } from '../../src/sandbox/spawn-gated.js';
import { fileTable } from '../faults/processes/tables.js';

export const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
const MEBIBYTE = 1024 * 1024;
/** What the acts that want too much of something are held to. */
export const BOUNDS = {
  processes: 60,
  memoryBytes: 256 * MEBIBYTE,
  fileBytes: 8 * MEBIBYTE,
  scratchBytes: 16 * MEBIBYTE,
};

export type Outcome = { exitCode: number | null; stdout: string; stderr: string };

/**
 * A machine in small: Baton's home with a token and the workspace of a job in it, a folder of the user's beside it,
 * another process, and servers that listen outside.
 */
export class Scene {
  readonly token = String(randomInt(1e11, 1e12));
  readonly folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'baton-scene-')));
  readonly home = path.join(this.folder, 'home');
  readonly workspace = path.join(this.home, 'jobs/run-1/workspace');
  readonly outside = path.join(this.folder, 'outside');
  readonly stranger: ChildProcess;
  readonly #servers: net.Server[] = [];
  port = 0;

  constructor() {
    for (const one of [path.join(this.workspace, '.git/hooks'), this.outside]) mkdirSync(one, { recursive: true });
    writeFileSync(path.join(this.home, 'token'), 'top-secret\n');
    writeFileSync(this.outsideFile, 'untouched\n');
    writeFileSync(path.join(this.workspace, '.git/config'), '[core]\n');
    writeFileSync(path.join(this.workspace, 'AGENTS.json'), '{}\n');
    this.stranger = spawn('sleep', [`300.${this.token}`], { stdio: 'ignore' });
  }

  get outsideFile(): string {
    return path.join(this.outside, 'file');
  }

  async listen(): Promise<void> {
    const answer = (socket: net.Socket): void => void socket.on('error', () => {}).end('reached\n');
    const places = [
      { port: 0, host: '127.0.0.1' },
      { path: path.join(this.outside, 'socket') },
      { path: this.abstract },
    ];
    for (const place of places) {
      const server = net.createServer(answer);
      this.#servers.push(server);
      await new Promise<void>((resolve) => server.listen(place, resolve));
    }
    const [address] = this.#servers.map((server) => server.address());
    if (typeof address !== 'object' || address === null) throw new Error('nothing listens');
    this.port = address.port;
  }

  /** A name without a file, which only a network namespace keeps back. */
  get abstract(): string {
    return `\0baton-${this.token}`;
  }

  get gate(): Gate {
    const table = fileTable(path.join(this.folder, 'rows'));
    return { table, worker: 'worker-1', scope: 'test', oneMachine: true };
  }

  confinement(more: Partial<Confinement> = {}): Confinement {
    const inWorkspace = (name: string): string => path.join(this.workspace, name);
    return {
      writable: [this.workspace],
      readOnly: [],
      hidden: [this.home],
      control: ['baton.json', '.git/config', '.git/hooks', 'AGENTS.json', '.agent/settings.json'].map(inWorkspace),
      mayCover: true,
      network: { type: 'none' },
      limits: {
        processesMax: BOUNDS.processes,
        memoryBytesMax: BOUNDS.memoryBytes,
        fileBytesMax: BOUNDS.fileBytes,
        scratchBytesMax: BOUNDS.scratchBytes,
      },
      ...more,
    };
  }

  spawn(sandbox: Sandbox, argv: readonly string[], more: Partial<Confinement> = {}, other: Partial<SpawnRequest> = {}) {
    return spawnGated({
      gate: this.gate,
      run: `run-${this.token}`,
      epoch: 1,
      handoff: 'ask-1',
      attempt: 1,
      argv,
      cwd: this.workspace,
      env: { PATH },
      signal: new AbortController().signal,
      limits: { graceMs: 300 },
      confined: { sandbox, confinement: this.confinement(more) },
      ...other,
    });
  }

  async run(sandbox: Sandbox, argv: readonly string[], more: Partial<Confinement> = {}): Promise<Outcome> {
    const spawned = await this.spawn(sandbox, argv, more);
    if (spawned.type !== 'started') throw new Error(`not started: ${JSON.stringify(spawned)}`);
    const { exitCode } = await spawned.process.ended;
    return { exitCode, stdout: spawned.process.stdout.text(), stderr: spawned.process.stderr.text() };
  }

  /** As it is outside, or undefined. */
  read(...names: string[]): string | undefined {
    try {
      return readFileSync(path.join(...names), 'utf8');
    } catch {
      return undefined;
    }
  }

  clear(): void {
    this.stranger.kill('SIGKILL');
    for (const server of this.#servers) server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

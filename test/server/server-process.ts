import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const BIN = path.resolve(import.meta.dirname, '../../bin/baton.cjs');
const PORT_BY_ITSELF = 0;

/** `baton serve` as a process of its own, which can be killed and started again at the same address. */
export class ServerProcess {
  private child: ChildProcess | undefined;
  private port = PORT_BY_ITSELF;
  private readonly home: string;
  private readonly bin: string;
  private readonly env: Readonly<Record<string, string>>;
  url = '';
  /** Further variables of its environment. */
  extra: Record<string, string> = {};

  constructor(home: string, { bin = BIN, env = {} }: { bin?: string; env?: Readonly<Record<string, string>> } = {}) {
    this.home = home;
    this.bin = bin;
    this.env = env;
  }

  get token(): string {
    return readFileSync(path.join(this.home, 'token'), 'utf8').trim();
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async start(): Promise<void> {
    const args = [this.bin, 'serve', '--port', String(this.port), '--json', '--log-level', 'error'];
    const env = { ...process.env, BATON_HOME: this.home, ...this.env, ...this.extra };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    const said = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    this.url = String(JSON.parse(said).url);
    this.port = Number(new URL(this.url).port);
  }

  /** Without a chance to say goodbye. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  private end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill(signal);
    });
  }
}

import { randomInt } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ClientOrder, Sent, WorkerOrder } from '../programs/orders.js';
import type { PlantedBug } from '../programs/planted-bugs.js';
import type { SourceBug } from './build-plugins.js';
import { buildPrograms, type Programs } from './build-programs.js';
import { endLiving, livingAgents } from './living-agents.js';
import { ProgramProcess } from './program-process.js';
import { within } from './waiting.js';

export type StageOptions = {
  /** The checkout. */
  root: string;
  seed: number;
  speed: number;
  load: Pick<ClientOrder, 'lanes' | 'openMax' | 'paceMs'>;
  planted?: { worker?: PlantedBug; client?: PlantedBug };
  sourceBug?: SourceBug;
  /** The folder with the home and what everybody said stays, and is named. */
  keep?: boolean;
};

const RECENT_MAX = 30;
const READY_MS_MAX = 30_000;

export type Claimed = { run: string; epoch: number; position: number; from: string; by: string };

/** One home with its programs, and everything they said that must turn out to be true. */
export class Stage {
  readonly token = String(randomInt(1e9, 1e10));
  readonly home: string;
  readonly acknowledged = new Map<string, string>();
  readonly problems: string[] = [];
  readonly claims: Claimed[] = [];
  /** Writes of former owners that the store refused. */
  fenced = 0;
  refused = 0;
  /** Commands that came back without an answer and were sent again. */
  unanswered = 0;
  private readonly open = new Map<string, Sent>();
  private readonly recent: string[] = [];
  private readonly started = new Set<ProgramProcess>();
  private readonly folder: string;
  private readonly options: StageOptions;
  private readonly programs: Programs;
  private readonly originMs = Date.now();
  private sent = 0;
  private workers = 0;

  private constructor(folder: string, programs: Programs, options: StageOptions) {
    this.folder = folder;
    this.home = path.join(folder, 'home');
    this.programs = programs;
    this.options = options;
    mkdirSync(this.home, { mode: 0o700 });
  }

  static async set(options: StageOptions): Promise<Stage> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-faults-'));
    const programs = path.join(folder, 'programs');
    return new Stage(folder, await buildPrograms(options.root, programs, options.sourceBug), options);
  }

  /** Every worker has a name of its own: a dead one never comes back. */
  startWorker(): ProgramProcess {
    this.workers += 1;
    const worker = `worker-${this.workers}`;
    const order: WorkerOrder = { ...this.common(), planted: this.options.planted?.worker ?? null, worker };
    return this.start(worker, this.programs.worker, order, (verb, rest) => this.hearWorker(worker, verb, rest));
  }

  /** Goes on where the last client was: what was not answered is sent again first. */
  startClient(part: ClientOrder['part']): ProgramProcess {
    const order: ClientOrder = {
      ...this.common(),
      ...this.options.load,
      planted: this.options.planted?.client ?? null,
      seed: this.options.seed,
      part,
      from: this.sent,
      repeat: [...this.open.values()],
      recent: this.recent,
    };
    return this.start('client', this.programs.client, order, (verb, rest) => this.hearClient(verb, rest));
  }

  /** Sent and, as far as was heard, not answered. */
  get awaited(): number {
    return this.open.size;
  }

  async untilReady(process: ProgramProcess): Promise<void> {
    if (await within(READY_MS_MAX, () => process.isReady || process.exit !== undefined)) return;
    this.problems.push(`${process.name} did not start: ${process.last.join(' / ')}`);
  }

  /** Ends what is left of the programs and of their agents, and removes the folder. */
  async clear(): Promise<void> {
    for (const process of this.started) if (!process.exit) await process.kill();
    endLiving(livingAgents(this.token));
    if (this.options.keep) return console.log(`kept: ${this.folder}`);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private common(): Omit<WorkerOrder, 'worker' | 'planted'> {
    const { home, token, originMs } = this;
    return { home, token, originMs, writerUrl: this.programs.writerUrl, speed: this.options.speed };
  }

  private start(
    name: string,
    program: string,
    order: object,
    onLine: (verb: string, rest: string) => void,
  ): ProgramProcess {
    const file = path.join(this.folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(order));
    const log = path.join(this.folder, `${name}.log`);
    const started = new ProgramProcess(name, [process.execPath, program, file], (verb, rest) => {
      if (this.options.keep) appendFileSync(log, `${new Date().toISOString()} ${verb} ${rest}\n`);
      onLine(verb, rest);
    });
    this.started.add(started);
    void started.ended.then(({ code, signal }) => {
      this.started.delete(started);
      if (code !== 0 && signal !== 'SIGKILL') {
        this.problems.push(`${name} ended by itself (${code ?? signal}): ${started.last.slice(-8).join(' / ')}`);
      }
    });
    return started;
  }

  private hearWorker(by: string, verb: string, rest: string): void {
    if (verb === 'fenced') this.fenced += 1;
    if (verb !== 'claim') return;
    const [run = '', epoch, position, from = ''] = rest.split(' ');
    this.claims.push({ run, epoch: Number(epoch), position: Number(position), from, by });
  }

  private hearClient(verb: string, rest: string): void {
    if (verb === 'problem') this.problems.push(rest);
    if (verb === 'unanswered') this.unanswered += 1;
    if (verb === 'sent') {
      const sent = JSON.parse(rest) as Sent;
      this.sent += 1;
      this.open.set(sent.key, sent);
    }
    const [key = '', run = ''] = rest.split(' ');
    if (verb === 'refused') this.refused += 1;
    if (verb === 'refused' || verb === 'ack') this.open.delete(key);
    if (verb === 'ack') this.acknowledge(key, run);
  }

  private acknowledge(key: string, run: string): void {
    const before = this.acknowledged.get(key);
    if (before !== undefined && before !== run)
      this.problems.push(`${key} was answered with ${before}, then with ${run}`);
    this.acknowledged.set(key, run);
    if (this.recent.includes(run)) return;
    this.recent.push(run);
    if (this.recent.length > RECENT_MAX) this.recent.shift();
  }
}

import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Grounds, layGrounds, ProgramStage, type StageOptions } from '../jobs/program-stage.js';
import type { Exit, ProgramProcess } from '../stage/program-process.js';
import { within } from '../stage/waiting.js';
import { BridgePlay } from './bridge-play.js';
import { BridgePrograms, type ModuleBug, WORKERS } from './bridge-programs.js';

const READY_MS_MAX = 30_000;
const [SIGNAL_BASE, SIGKILL] = [128, 9];

export type BridgeStageOptions = StageOptions & { moduleBug?: ModuleBug };

/** Folders with an orchestrator each, agents, and the real program that handles them. */
export class BridgeStage extends ProgramStage {
  readonly programs: BridgePrograms;
  readonly plays: BridgePlay[] = [];
  /** Handlers whose orchestrator was killed: they end as it did. */
  readonly bereft = new Set<string>();
  private count = 0;

  private constructor(grounds: Grounds, { root, moduleBug }: BridgeStageOptions) {
    super(grounds);
    this.programs = new BridgePrograms(root, grounds.folder, this.token, moduleBug);
  }

  static async set(options: BridgeStageOptions): Promise<BridgeStage> {
    const stage = new BridgeStage(await layGrounds(options), options);
    for (const name of WORKERS) await stage.register(name, stage.programs.command(name));
    return stage;
  }

  newPlay(): BridgePlay {
    const dir = path.join(this.folder, `play${this.plays.length + 1}`);
    mkdirSync(dir);
    const play = new BridgePlay(dir, this.programs);
    this.plays.push(play);
    return play;
  }

  /** `baton bridge run`, as whoever wants the result starts it, again and again. */
  startHandler({ dir }: BridgePlay, worker: string): ProgramProcess {
    this.count += 1;
    const words = ['bridge', 'run', '--agent', this.nameOf(worker), '--dir', dir, '--', this.programs.orchestrator];
    return this.start(`handler-${this.count}`, words);
  }

  /** `baton serve` on the same home: it may finish what was asked, and start nothing. */
  async startServer(): Promise<ProgramProcess> {
    let isReady = false;
    const server = this.launchServer(() => {
      isReady = true;
    });
    if (!(await within(READY_MS_MAX, () => isReady || server.exit !== undefined))) {
      this.problems.push(`${server.name} did not start: ${server.last.join(' / ')}`);
    }
    return server;
  }

  launchServer(onReady: (url: string) => void): ProgramProcess {
    this.count += 1;
    const words = ['serve', '--port', '0', '--json', '--log-level', 'error'];
    return this.start(`server-${this.count}`, words, undefined, (line) => {
      onReady((JSON.parse(line) as { url: string }).url);
    });
  }

  async statusOf(play: BridgePlay): Promise<string | undefined> {
    const { items } = await this.store.runs({ kind: 'bridge', limit: 1_000 });
    return items.find(({ run }) => play.isOf(run))?.status;
  }

  protected override environment(name: string): Record<string, string> {
    return { STARTED_BY: name };
  }

  /** 42 is never the end of a handler. */
  protected override isFine(name: string, exit: Exit): boolean {
    return super.isFine(name, exit) || (exit.code === SIGNAL_BASE + SIGKILL && this.bereft.has(name));
  }
}

/** A living process of ours, not a later one with its number. */
export function livesWith(token: string, pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const isDead = stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
    return !isDead && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(token);
  } catch {
    return false;
  }
}

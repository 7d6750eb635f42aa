import type { Clock, Ports, WorkerId } from './ports.js';

export const BEAT_MS = 2000;
/** A worker that could not beat for this long may already be taken for dead: it ends its agents before others start theirs. */
export const SILENT_MS_MAX = 5000;

/** Tells the other workers that this one is alive, and itself when it no longer looks so. */
export class Liveness {
  private stopped = false;
  private lastBeatMs = 0;
  private beating: Promise<void> = Promise.resolve();
  private wake: () => void = () => {};
  private readonly ports: Ports;
  private readonly worker: WorkerId;
  private readonly onSilence: () => Promise<void>;

  constructor(ports: Ports, worker: WorkerId, onSilence: () => Promise<void>) {
    this.ports = ports;
    this.worker = worker;
    this.onSilence = onSilence;
  }

  async start(host: string): Promise<void> {
    await this.ports.store.enlist(this.worker, host);
    this.lastBeatMs = this.ports.clock.monotonicMs();
    void this.keepBeating();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    // Nobody waits at a terminal for the beat that would have been next.
    this.wake();
    // A beat that arrives after the discharge would make a dead worker look alive.
    await this.beating;
    await this.ports.store.discharge(this.worker);
  }

  private async keepBeating(): Promise<void> {
    const { clock } = this.ports;
    while (!this.stopped) {
      await this.untilNext(clock);
      if (this.stopped) return;
      // Looked at before beating: a process that was stopped and continued must not go on as if nothing had been.
      if (clock.monotonicMs() - this.lastBeatMs > SILENT_MS_MAX) await this.startOver();
      this.beating = this.beat();
      await this.beating;
    }
  }

  private untilNext(clock: Clock): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(BEAT_MS, resolve);
      this.wake = () => {
        cancel();
        resolve();
      };
    });
  }

  private async startOver(): Promise<void> {
    try {
      await this.onSilence();
    } catch (problem) {
      this.ports.log('error', 'could not start over after a silence', {
        worker: this.worker,
        problem: String(problem),
      });
    }
  }

  private async beat(): Promise<void> {
    const { clock, store, log } = this.ports;
    try {
      await store.beat(this.worker);
      this.lastBeatMs = clock.monotonicMs();
    } catch (problem) {
      log('warn', 'this worker could not say that it is alive', { worker: this.worker, problem: String(problem) });
    }
  }
}

import type { Clock } from '../../src/engine/ports.js';
import type { World } from './world.js';

const NOTICED_MS = 15_000;

/**
 * One operating-system process of the simulation. Killed, it never runs another line: its timers do not fire and its
 * store calls do not return. Paused, everything that falls due is kept and comes at once when it goes on.
 */
export class SimProcess {
  dead = false;
  /** Its engine said that it has stopped: from now on it must be quiet. */
  stopped = false;
  private resumedMs = 0;
  private pausedCalls: (() => void)[] | undefined;
  /** How far its wall clock is off. */
  skewMs = 0;
  /** How it hears of commits: at once, twice, or only when it is not deaf any more. */
  hearing: 'good' | 'twice' | 'deaf' = 'good';
  /** How long it takes to read the feed. */
  feedMs = 0;
  readonly name: string;
  readonly clock: Clock;
  private readonly world: World;

  constructor(world: World, name: string) {
    this.name = name;
    this.world = world;
    this.clock = {
      nowMs: () => world.nowMs + this.skewMs,
      monotonicMs: () => world.nowMs,
      after: (delayMs, call) => world.after(delayMs, () => this.run(call)),
    };
  }

  get paused(): boolean {
    return this.pausedCalls !== undefined;
  }

  pauseFor(pausedMs: number): void {
    if (this.paused || this.dead) return;
    this.pausedCalls = [];
    this.world.note(`${this.name} is paused`);
    this.world.after(pausedMs, () => {
      this.world.note(`${this.name} goes on`);
      this.resume();
    });
  }

  resume(): void {
    if (this.paused) this.resumedMs = this.clock.monotonicMs();
    const calls = this.pausedCalls ?? [];
    this.pausedCalls = undefined;
    for (const call of calls) this.run(call);
  }

  kill(): void {
    this.dead = true;
    this.pausedCalls = undefined;
  }

  /** It runs, and has run for long enough that everybody must have noticed. */
  isWell(nowMs: number): boolean {
    return !this.dead && !this.stopped && !this.paused && nowMs - this.resumedMs > NOTICED_MS;
  }

  recover(): void {
    this.skewMs = 0;
    this.hearing = 'good';
    this.feedMs = 0;
    this.resume();
  }

  private run(call: () => void): void {
    if (this.dead) return;
    if (this.pausedCalls) this.pausedCalls.push(call);
    else call();
  }
}

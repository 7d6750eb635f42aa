import type { Engine } from '../engine.js';
import type { Ports, RunId } from '../ports.js';
import { deltaOf, type LiveRelay } from './live-text.js';
import type { WireEvent } from './session-desk.js';

const TAKEN_UP_MS = 250;

/** What is streamed in sessions that another process drives. While nobody works on a session, nothing is looked for. */
export class Elsewhere {
  private readonly engine: Pick<Engine, 'owns' | 'watch'>;
  private readonly ports: Pick<Ports, 'store' | 'clock' | 'log'>;
  private readonly relay: Pick<LiveRelay, 'follow'>;

  constructor(
    engine: Pick<Engine, 'owns' | 'watch'>,
    ports: Pick<Ports, 'store' | 'clock' | 'log'>,
    relay: Pick<LiveRelay, 'follow'>,
  ) {
    this.engine = engine;
    this.ports = ports;
    this.relay = relay;
  }

  follow(run: RunId, call: (event: WireEvent) => void): () => void {
    let unfollow: (() => void) | undefined;
    let isOver = false;
    const follow = (isElsewhere: boolean): void => {
      if (isElsewhere && !isOver) unfollow ??= this.relay.follow(run, (piece) => call(deltaOf(piece, piece.offset)));
      else {
        unfollow?.();
        unfollow = undefined;
      }
    };
    let cancel = (): void => {};
    // What was just written is taken up a moment later, mostly by this process.
    const lookSoon = (): void => {
      cancel();
      cancel = this.ports.clock.after(TAKEN_UP_MS, look);
    };
    const look = (): void => {
      this.isDrivenElsewhere(run).then(follow, (problem) => {
        this.ports.log('warn', 'a session of another process', { run, problem: String(problem) });
      });
    };
    const unwatch = this.engine.watch(run, lookSoon);
    lookSoon();
    return () => {
      isOver = true;
      cancel();
      unwatch();
      follow(false);
    };
  }

  private async isDrivenElsewhere(run: RunId): Promise<boolean> {
    if (this.engine.owns(run)) return false;
    const row = await this.ports.store.run(run);
    return row?.owes === true && !this.engine.owns(run);
  }
}

import type { Clock } from '../../engine/ports.js';

/** Who has said its last word gets so long to go by itself. */
const LINGER_MS_MAX = 10_000;

/** Some programs stay after their last word, for ever. */
export class Linger {
  private readonly clock: Clock;
  private readonly stop = new AbortController();
  private forget: (() => void) | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get over(): AbortSignal {
    return this.stop.signal;
  }

  begin(): void {
    this.forget ??= this.clock.after(LINGER_MS_MAX, () => this.stop.abort());
  }

  end(): void {
    this.forget?.();
  }
}

import { addUsage, NO_USAGE, type Usage } from '../../core/kernel/effect.js';
import type { Clock, Left } from '../../engine/ports.js';

/** A crash loses no more than what was used in so long, and no more than so many tokens. */
const KEEP_EVERY_MS = 200;
const UNKEPT_TOKENS_MAX = 500;

/** The sums of all tokens of a handoff, kept now and then while it works and once more at its end. */
export class KeptUsage {
  private readonly clock: Clock;
  private readonly keep: (left: Left) => void;
  private readonly sums = new Map<object, Usage>();
  private thread: string | undefined;
  private keptTokens = 0;
  private forget: (() => void) | undefined;

  constructor(clock: Clock, keep: (left: Left) => void) {
    this.clock = clock;
    this.keep = keep;
  }

  tell(token: object, usage: Usage): void {
    const first = this.sums.size === 0;
    this.sums.set(token, usage);
    const unkept = tokensOf(this.sum()) - this.keptTokens;
    if (first || Math.abs(unkept) > UNKEPT_TOKENS_MAX) this.keepNow();
    else this.forget ??= this.clock.after(KEEP_EVERY_MS, () => this.keepNow());
  }

  note(thread: string): void {
    this.thread = thread;
    this.keepNow();
  }

  /** Nothing is kept of a handoff that used nothing. */
  end(): void {
    if (this.sums.size > 0) this.keepNow();
  }

  private keepNow(): void {
    this.forget?.();
    this.forget = undefined;
    const thread = this.thread === undefined ? {} : { thread: this.thread };
    const sum = this.sum();
    this.keptTokens = tokensOf(sum);
    this.keep({ ...sum, ...thread });
  }

  private sum(): Usage {
    return [...this.sums.values()].reduce(addUsage, NO_USAGE);
  }
}

function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

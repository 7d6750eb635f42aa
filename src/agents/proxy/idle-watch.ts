import type { Clock } from '../../engine/ports.js';

/** Calls once nothing has happened for so long. Being told that something has costs no timer. */
export class IdleWatch {
  readonly #clock: Clock;
  readonly #call: () => void;
  #idleMsMax: number;
  #lastMs: number;
  #cancel: () => void;

  constructor(clock: Clock, idleMsMax: number, call: () => void) {
    this.#clock = clock;
    this.#call = call;
    this.#idleMsMax = idleMsMax;
    this.#lastMs = clock.monotonicMs();
    this.#cancel = clock.after(idleMsMax, () => this.#look());
  }

  touch(): void {
    this.#lastMs = this.#clock.monotonicMs();
  }

  /** From now on another patience. */
  allow(idleMsMax: number): void {
    this.#idleMsMax = idleMsMax;
    this.touch();
    this.#cancel();
    this.#cancel = this.#clock.after(idleMsMax, () => this.#look());
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    const leftMs = this.#idleMsMax - (this.#clock.monotonicMs() - this.#lastMs);
    if (leftMs <= 0) this.#call();
    else this.#cancel = this.#clock.after(leftMs, () => this.#look());
  }
}

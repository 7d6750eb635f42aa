/** What a runner needs to know of being told to stop. An `AbortSignal` is one too; most effects never need so much. */
export type StopSignal = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', call: () => void): void;
  removeEventListener(type: 'abort', call: () => void): void;
};

/** Made for every effect, so it costs next to nothing until somebody listens. */
export class Stop implements StopSignal {
  aborted = false;
  private calls: (() => void)[] | undefined;

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const call of this.calls ?? []) call();
    this.calls = undefined;
  }

  addEventListener(_: 'abort', call: () => void): void {
    if (!this.aborted) this.calls = [...(this.calls ?? []), call];
  }

  removeEventListener(_: 'abort', call: () => void): void {
    this.calls = this.calls?.filter((other) => other !== call);
  }
}

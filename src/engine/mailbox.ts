const READY: Promise<unknown> = Promise.resolve();

/** One at a time per run: work that is put in runs after everything that was put in before it. */
export class Mailboxes {
  private readonly tails = new Map<string, Promise<unknown>>();

  put<Result>(run: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.tails.get(run) ?? READY).then(work);
    const clear = (): void => {
      if (this.tails.get(run) === tail) this.tails.delete(run);
    };
    const tail: Promise<unknown> = result.then(clear, clear);
    this.tails.set(run, tail);
    return result;
  }

  /** Whether something put in is not done yet. */
  isBusy(run: string): boolean {
    return this.tails.has(run);
  }

  /** Resolves when everything put in so far is done. */
  async idle(): Promise<void> {
    await Promise.all(this.tails.values());
  }
}

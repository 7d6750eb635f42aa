/** One at a time per run: work that is put in runs after everything that was put in before it. */
export class Mailboxes {
  private readonly tails = new Map<string, Promise<unknown>>();

  put<Result>(run: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.tails.get(run) ?? Promise.resolve();
    const result = before.then(work, work);
    const tail = result.catch(() => undefined);
    this.tails.set(run, tail);
    void tail.then(() => {
      if (this.tails.get(run) === tail) this.tails.delete(run);
    });
    return result;
  }

  /** Resolves when everything put in so far is done. */
  async idle(): Promise<void> {
    await Promise.all(this.tails.values());
  }
}

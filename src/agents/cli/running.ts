/** Older ones are forgotten: who begins and never ends must not fill the memory. */
const DEEDS_MAX = 1_000;

/** What an agent has begun and not ended. */
export class Running {
  private readonly deeds = new Map<string, string>();

  begin(id: string, what: string): void {
    this.deeds.set(id, what);
    const [oldest] = this.deeds.keys();
    if (this.deeds.size > DEEDS_MAX && oldest !== undefined) this.deeds.delete(oldest);
  }

  end(id: string): void {
    this.deeds.delete(id);
  }

  /** What it began last, as far as that has not ended. */
  get last(): string | undefined {
    return [...this.deeds.values()].at(-1);
  }
}

/** So many at once, and so many more each second. */
export class Rate {
  private readonly perSecond: number;
  private readonly nowMs: () => number;
  private readonly buckets = new Map<string, { left: number; atMs: number }>();

  constructor(perSecond: number, nowMs: () => number) {
    this.perSecond = perSecond;
    this.nowMs = nowMs;
  }

  takes(client: string): boolean {
    const now = this.nowMs();
    const bucket = this.buckets.get(client) ?? { left: this.perSecond, atMs: now };
    bucket.left = Math.min(this.perSecond, bucket.left + ((now - bucket.atMs) * this.perSecond) / 1_000);
    bucket.atMs = now;
    this.forgetSome();
    this.buckets.set(client, bucket);
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }

  /** Whoever has been away for a second has a full bucket again, and need not be remembered. */
  private forgetSome(): void {
    if (this.buckets.size < CLIENTS_MAX) return;
    const before = this.nowMs() - 1_000;
    for (const [client, { atMs }] of this.buckets) if (atMs < before) this.buckets.delete(client);
    if (this.buckets.size >= CLIENTS_MAX) this.buckets.clear();
  }
}

const CLIENTS_MAX = 10_000;

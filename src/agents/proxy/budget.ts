/** What stops a handoff. */
export type StopReason =
  | { kind: 'tokens'; spent: number; max: number }
  | { kind: 'cost'; spentMicroUsd: number; maxMicroUsd: number }
  /** Money is limited, tokens are not, and what this model costs is not known: nothing would stop it. */
  | { kind: 'price-missing'; model: string };

export const priceMissing = (model: string): StopReason => ({ kind: 'price-missing', model });

/** Absent means no limit; zero means nothing at all. Tokens are input and output together. */
export type BudgetLimits = { tokensMax?: number; costMicroUsdMax?: number };

type Spent = { tokens: number; costMicroUsd: number };

/**
 * What may be spent by all who share it: the agents of a handoff and the children they start have a token each and
 * this one budget. The figures run ahead with estimates and are set right when the provider tells; they may go down.
 */
export class Budget {
  #limits: BudgetLimits;
  readonly #spent: Spent;
  readonly #listeners = new Set<(reason: StopReason) => void>();

  /** `spent` is what the job has used up before. */
  constructor(limits: BudgetLimits, spent: Spent = { tokens: 0, costMicroUsd: 0 }) {
    this.#limits = limits;
    this.#spent = { ...spent };
  }

  get spent(): Readonly<Spent> {
    return this.#spent;
  }

  /** Why nothing more may be spent, or null. */
  get used(): StopReason | null {
    return this.#usedBy(this.#spent);
  }

  wouldBeUsed({ tokens, costMicroUsd }: Spent): boolean {
    const spent = { tokens: this.#spent.tokens + tokens, costMicroUsd: this.#spent.costMicroUsd + costMicroUsd };
    return this.#usedBy(spent) !== null;
  }

  #usedBy({ tokens, costMicroUsd }: Spent): StopReason | null {
    const { tokensMax = Number.POSITIVE_INFINITY, costMicroUsdMax = Number.POSITIVE_INFINITY } = this.#limits;
    if (tokens >= tokensMax) return { kind: 'tokens', spent: tokens, max: tokensMax };
    if (costMicroUsd < costMicroUsdMax) return null;
    return { kind: 'cost', spentMicroUsd: costMicroUsd, maxMicroUsd: costMicroUsdMax };
  }

  get needsPrice(): boolean {
    return this.#limits.costMicroUsdMax !== undefined && this.#limits.tokensMax === undefined;
  }

  /** They may change while it is spent from. */
  set limits(limits: BudgetLimits) {
    this.#limits = limits;
    this.spend({ tokens: 0, costMicroUsd: 0 });
  }

  spend(more: Spent): void {
    this.#spent.tokens += more.tokens;
    this.#spent.costMicroUsd += more.costMicroUsd;
    const reason = this.used;
    if (reason) for (const listener of [...this.#listeners]) listener(reason);
  }

  /** Tells everyone who spends from it when it is used up. Returns what ends that. */
  onUsed(listener: (reason: StopReason) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

import { addModels, figuresOf, type ModelUsage, minus } from '../../core/kernel/model-usage.js';
import type { AnswerCount } from './answer-count.js';
import type { Grant } from './grants.js';
import { costMicroUsd, type PriceTable } from './prices.js';
import { changedTokens, NO_TOKENS, type Tokens } from './tokens.js';

type Counted = { tokens: Tokens; costMicroUsd: number; estimated: boolean; model: string | undefined };

const NOTHING: Counted = { tokens: NO_TOKENS, costMicroUsd: 0, estimated: false, model: undefined };

/** What one request adds to its token's usage and to the budget; set anew as more of the answer is seen. */
export class Charge {
  readonly #grant: Grant;
  readonly #prices: PriceTable;
  readonly #onUsage: () => void;
  #figures = NOTHING;

  constructor(grant: Grant, prices: PriceTable, onUsage: () => void) {
    this.#grant = grant;
    this.#prices = prices;
    this.#onUsage = onUsage;
    grant.usage = { ...grant.usage, requests: grant.usage.requests + 1 };
  }

  set(count: AnswerCount): void {
    const { tokens, estimated } = count.tokens();
    const cost = this.#cost(count, tokens);
    this.#become({ tokens, costMicroUsd: cost ?? 0, estimated, model: count.model });
  }

  /** Whether so many more bytes of an answer might use up the budget: there is no token without a byte. */
  couldUseUp(count: AnswerCount, bytes: number): boolean {
    const costMicroUsd = this.#cost(count, { ...NO_TOKENS, outputTokens: bytes }) ?? 0;
    return this.#grant.budget.wouldBeUsed({ tokens: bytes, costMicroUsd });
  }

  /** Nothing was used after all. */
  waive(): void {
    this.#become(NOTHING);
  }

  /** The model without a price, if it is one. It is said once the answer has named it or is over. */
  unpriced(count: AnswerCount): string | undefined {
    const model = count.model ?? 'unknown';
    if (this.#cost(count, NO_TOKENS) !== undefined) return undefined;
    const { usage } = this.#grant;
    if (!usage.unpriced.includes(model)) {
      this.#grant.usage = { ...usage, unpriced: [...usage.unpriced, model] };
      this.#onUsage();
    }
    return model;
  }

  #cost({ model }: AnswerCount, tokens: Tokens): number | undefined {
    return model === undefined ? undefined : costMicroUsd(this.#prices, model, tokens);
  }

  #become(figures: Counted): void {
    const [grant, before] = [this.#grant, this.#figures];
    this.#figures = figures;
    grant.estimates += Number(figures.estimated) - Number(before.estimated);
    const costMore = figures.costMicroUsd - before.costMicroUsd;
    grant.usage = {
      ...grant.usage,
      ...changedTokens(grant.usage, before.tokens, figures.tokens),
      costMicroUsd: grant.usage.costMicroUsd + costMore,
      models: addModels(grant.usage.models, [...partOf(before, minus), ...partOf(figures)]),
      estimated: grant.estimates > 0,
    };
    this.#onUsage();
    grant.budget.spend({ tokens: sum(figures.tokens) - sum(before.tokens), costMicroUsd: costMore });
  }
}

/** An answer may name its model late, or another one than it was asked for. */
function partOf({ model, tokens, costMicroUsd }: Counted, change = figuresOf): ModelUsage[] {
  const { inputTokens, outputTokens } = tokens;
  return model === undefined ? [] : [{ model, ...change({ inputTokens, outputTokens, costMicroUsd }) }];
}

function sum({ inputTokens, outputTokens }: Tokens): number {
  return inputTokens + outputTokens;
}

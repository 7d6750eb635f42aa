import type { Figures } from './model-scenario.js';

/** The tokenizer of the scripted model: four bytes are one token. */
const TOKEN_BYTES = 4;

export type TokenCount = {
  input: number;
  cached_input: number;
  cache_write: number;
  output: number;
  reasoning: number;
};

export function tokensIn(bytes: number): number {
  return Math.ceil(bytes / TOKEN_BYTES);
}

/** What a step is billed when nothing goes wrong: what its author says, and else what the tokenizer counts. */
export function billOf(figures: Figures | undefined, counted: TokenCount): TokenCount {
  return { ...counted, ...figures };
}

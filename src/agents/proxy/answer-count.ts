/**
 * What one answer has used, so far.
 *
 * A1  The provider's figures count when they can be: they are what is billed.
 * A2  A report with one figure that cannot be is not believed at all.
 * A3  What no report says is worked out from the bytes that were seen, so that a stream that is cut counts too.
 */

import { NO_TOKENS, type Tokens } from './tokens.js';

/** On average, over the languages and tokenizers there are. */
const TOKEN_BYTES = 4;
/** Text of which a token were longer than this is not known from any tokenizer. */
const TOKEN_BYTES_MAX = 32;
/** Many times the largest context there is. */
const TOKENS_MAX = 50_000_000;

/** As they stand on the wire: of any type. */
export type Reported = { [figure in keyof Tokens]?: unknown };

export class AnswerCount {
  /** Bytes of the request that are text, and not an image or a file. */
  requestBytes = 0;
  /** Bytes of an answer that cannot be read, or not yet: all is taken for text. */
  unreadBytes = 0;
  /** The model the request names, as far as that was looked for, and the one the answer names. */
  hint: string | undefined;
  named: string | undefined;
  /** The provider said that nothing follows. */
  finished = false;
  /** An error in the words of the provider, inside an answer that began well. */
  failure: { type: string; message: string } | undefined;
  #textBytes = 0;
  #reasoningBytes = 0;
  #reported: Reported = {};

  get model(): string | undefined {
    return this.named ?? this.hint;
  }

  sees(text: unknown): void {
    if (typeof text === 'string') this.#textBytes += Buffer.byteLength(text);
  }

  seesReasoning(text: unknown): void {
    if (typeof text === 'string') this.#reasoningBytes += Buffer.byteLength(text);
  }

  /** Later figures replace earlier ones; all wires report sums. */
  reports(reported: Reported): void {
    Object.assign(this.#reported, reported);
  }

  names(model: unknown): void {
    if (typeof model === 'string' && model !== '') this.named = model.slice(0, 200);
  }

  tokens(): { tokens: Tokens; estimated: boolean } {
    const seen = this.#seen();
    const told = believed(this.#reported, this.requestBytes, this.#answerBytes);
    const tokens = { ...NO_TOKENS, ...told };
    if (told.inputTokens === undefined) tokens.inputTokens = seen.inputTokens;
    if (told.outputTokens === undefined) tokens.outputTokens = seen.outputTokens;
    if (told.reasoningTokens === undefined) {
      tokens.reasoningTokens = Math.min(seen.reasoningTokens, tokens.outputTokens);
    }
    return { tokens, estimated: told.inputTokens === undefined || told.outputTokens === undefined };
  }

  get #answerBytes(): number {
    return this.#textBytes + this.#reasoningBytes + this.unreadBytes;
  }

  #seen() {
    return {
      inputTokens: Math.ceil(this.requestBytes / TOKEN_BYTES),
      outputTokens: Math.ceil(this.#answerBytes / TOKEN_BYTES),
      reasoningTokens: Math.ceil(this.#reasoningBytes / TOKEN_BYTES),
    };
  }
}

function believed(reported: Reported, requestBytes: number, answerBytes: number): Partial<Tokens> {
  const told = Object.entries(reported).filter(([, figure]) => figure != null);
  if (!told.every(([, figure]) => isCount(figure))) return {};
  const figures = Object.fromEntries(told) as Partial<Tokens>;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = figures;
  const possible =
    isEnough(inputTokens, requestBytes) &&
    isEnough(outputTokens, answerBytes) &&
    cachedInputTokens + cacheWriteTokens + (figures.longCacheWriteTokens ?? 0) <= (inputTokens ?? 0) &&
    (figures.reasoningTokens ?? 0) <= (outputTokens ?? 0);
  return possible ? figures : {};
}

function isEnough(tokens: number | undefined, bytes: number): boolean {
  return tokens === undefined || tokens * TOKEN_BYTES_MAX >= bytes;
}

export function isCount(figure: unknown): figure is number {
  return typeof figure === 'number' && Number.isInteger(figure) && figure >= 0 && figure <= TOKENS_MAX;
}

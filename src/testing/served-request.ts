import type { IncomingHttpHeaders } from 'node:http';
import type { WireName } from './conversation.js';
import { billOf, type TokenCount, tokensIn } from './scripted-tokens.js';
import type { Answer, Piece } from './wires/scripted-wire.js';

/** What the server itself knows about one request, for tests to compare with what others counted. */
export type ServedRequest = {
  /** Also in the answer's header `x-request-id`. */
  id: string;
  wire: WireName | null;
  stream: boolean;
  model: string;
  headers: IncomingHttpHeaders;
  requestBytes: number;
  /** Answers of the model that the request brings along: none in a new conversation. */
  replies: number;
  /** What people have said in it, oldest first. */
  prompts: readonly string[];
  /** The answer that it goes on from, where the server is to know that one. */
  previousResponseId: string | null;
  status: number;
  /** What it told, and where it told nothing or a lie, what its tokenizer counts in what was sent. */
  tokens: TokenCount;
  /** Whether the whole answer was sent. */
  complete: boolean;
};

/** Counts one answer while it is sent. */
export class ServedCount {
  readonly #request: ServedRequest;
  readonly #answer: Answer;
  /** The figures stand for what they say: not missing, and no lie. */
  readonly #truthful: boolean;
  #textBytes = 0;
  #reasoningBytes = 0;
  #told: 'nothing' | 'input' | 'all' = 'nothing';

  constructor(request: ServedRequest, answer: Answer, truthful: boolean) {
    this.#request = request;
    this.#answer = answer;
    this.#truthful = truthful;
  }

  sent({ text = '', reasoning = '', tells }: Omit<Piece, 'frame'>): void {
    this.#textBytes += Buffer.byteLength(text);
    this.#reasoningBytes += Buffer.byteLength(reasoning);
    if (tells && this.#truthful) this.#told = tells;
    this.#request.tokens = this.#tokens();
  }

  #tokens(): TokenCount {
    const counted = {
      input: tokensIn(this.#request.requestBytes),
      cached_input: 0,
      cache_write: 0,
      output: tokensIn(this.#textBytes + this.#reasoningBytes),
      reasoning: tokensIn(this.#reasoningBytes),
    };
    if (this.#told === 'nothing') return counted;
    const bill = billOf(this.#answer.step.usage, counted);
    const { input, cached_input, cache_write } = bill;
    if (this.#told === 'input') return { ...counted, input, cached_input, cache_write };
    // This wire has no place for it.
    return this.#request.wire === 'messages' ? { ...bill, reasoning: Math.min(bill.output, counted.reasoning) } : bill;
  }
}

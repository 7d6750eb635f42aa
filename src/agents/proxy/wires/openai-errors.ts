import { type Refusal, WORDS } from '../refusal.js';

/** Programs look at `code`; what Baton calls it stands in `type`. */
export function openaiError({ status, code, message }: Refusal) {
  return { message, type: code, param: null, code: WORDS[status].openai };
}

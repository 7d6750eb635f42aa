/** Why a person is asked, in words that are Baton's, and apart from them the model's own. */
export type AskedWords = { reason: string | null; justification: string | null };

const OUTSIDE = 'it would run outside of the sandbox';
const SAID = `${OUTSIDE}; the model says: `;

/** A command wants to leave the sandbox, and this is what the model says to that. */
export function outsideReason(justification: string): string {
  return SAID + justification;
}

/** Takes such a reason apart again. No other reason is: what it quotes cannot pass for Baton's words or the model's. */
export function askedWords(reason: string | null): AskedWords {
  if (!reason?.startsWith(SAID)) return { reason, justification: null };
  return { reason: OUTSIDE, justification: reason.slice(SAID.length) };
}

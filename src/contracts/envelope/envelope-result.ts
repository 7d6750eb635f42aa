import type { Envelope } from '../generated/types/envelope.js';

export type EnvelopeResult = {
  response: string | null;
  clarification_needed: boolean;
  clarification_question: string | null;
  confirmation_needed: boolean;
  confirmation_id: string | null;
  confirmation_message: string | null;
  terminated: boolean;
  terminal_reason: NonNullable<Envelope['terminal_reason']> | null;
  termination_reason: string | null;
  citations: readonly unknown[];
  errors: readonly object[];
};

/** What a caller wants to know of an envelope: the answer, or what is asked, or why there is none. */
export function envelopeResult(envelope: Envelope): EnvelopeResult {
  const { final_response, citations } = envelope.outputs.integration ?? {};
  return {
    response: typeof final_response === 'string' ? final_response : null,
    clarification_needed: envelope.clarification_pending ?? false,
    clarification_question: envelope.clarification_question ?? null,
    confirmation_needed: envelope.confirmation_pending ?? false,
    confirmation_id: envelope.confirmation_id ?? null,
    confirmation_message: envelope.confirmation_message ?? null,
    terminated: envelope.terminated,
    terminal_reason: envelope.terminal_reason ?? null,
    termination_reason: envelope.termination_reason ?? null,
    citations: Array.isArray(citations) ? citations : [],
    errors: envelope.errors ?? [],
  };
}

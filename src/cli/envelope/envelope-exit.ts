import type { Envelope } from '../../contracts/generated/types/envelope.js';

const [DONE, FAILED, WAITS, HALTED] = [0, 1, 3, 4];

/** Said by the exit code: it waits for a person, or a bound has stopped it. */
export function envelopeExit({
  terminated,
  terminal_reason,
  clarification_pending,
  confirmation_pending,
}: Envelope): number {
  if (!terminated && (clarification_pending || confirmation_pending)) return WAITS;
  return terminated && terminal_reason?.startsWith('max_') ? HALTED : DONE;
}

/** Of many: what most needs somebody's attention. */
export function worstExit(codes: Iterable<number>): number {
  const all = new Set(codes);
  return [FAILED, HALTED, WAITS].find((code) => all.has(code)) ?? DONE;
}

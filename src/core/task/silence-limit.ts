const SECOND_MS = 1_000;
/** A number may be as large as it likes; a time that no clock knows would stop everything. */
const SILENCE_S_MAX = 10 * 365 * 86_400;

/** How long nothing may be heard of a task before it is given up. */
export function silenceMs({ timeout_seconds }: { timeout_seconds: number }): number {
  return Math.min(timeout_seconds, SILENCE_S_MAX) * SECOND_MS;
}

import type { Hasher, RunId } from '../ports.js';
import type { Origin } from '../seal.js';
import type { JobService } from './job-service.js';

/** An answer by hand; `handoff` as it is shown, or null for the one that is due. */
export type HandIn = { role: string; text: string; handoff: string | null };

/** Answers whether it was handed in before: the same answer to the same handoff counts once. */
export async function handIn(
  { jobs, hasher }: { jobs: JobService; hasher: Hasher },
  run: RunId,
  { role, text, handoff }: HandIn,
  by: Pick<Origin, 'actor' | 'key'>,
): Promise<{ repeated: boolean }> {
  const named = handoffIn(run, handoff);
  const { ref, body } = jobs.seal(text);
  const key = { scope: `job:${run}`, key: `poststep-${named}`, payload: hasher.sha256(text) };
  const origin = named === null ? by : { ...by, key };
  const outcome = await jobs.send(run, { type: 'PostStep', handoff: named, role, answer: ref }, origin, [body]);
  return { repeated: outcome.type === 'repeated' };
}

/** `RUN/KEY/ATTEMPT`, `RUN/KEY` and `KEY` mean the same. */
export function handoffIn(run: RunId, shown: string | null): string | null {
  return shown?.startsWith(`${run}/`) ? (shown.slice(run.length + 1).split('/')[0] ?? null) : shown;
}

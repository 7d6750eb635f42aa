import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unreachable } from '../../core/kernel/unreachable.js';
import type { AskOutcome, Clock } from '../../engine/ports.js';
import { type Adapter, answered, failed, untilAborted } from '../adapter.js';
import type { ScriptedSpec } from '../agent-spec.js';
import { type Call, CallRecord } from './call-record.js';
import { readScript, type ScriptEntry } from './read-script.js';
import { FACT_NAMES, type Facts, requestFacts } from './request-facts.js';

export type ScriptedOptions = {
  /** Holds one file of calls for each run. */
  callsFolder: string;
  clock: Clock;
};

/**
 * Answers from a file: the first entry that fits and is not used up. The file is read at every ask.
 *
 * C1. A call is recorded before anything of it happens.
 * C2. `times` counts the calls of one run. An answer counts once for its handoff, however often that is asked: asking
 *     again means that the answer was lost with the process that got it. A failure counts for every attempt.
 */
export function scriptedAdapter({ file }: ScriptedSpec, { callsFolder, clock }: ScriptedOptions): Adapter {
  return async ({ run }, { agent, key: handoff, attempt }, request, signal) => {
    const bytes = await readFile(file).catch((problem: Error) => problem);
    if (bytes instanceof Error) return failed('not-found', `the script cannot be read: ${bytes.message}`);
    const script = readScript(bytes);
    if ('problem' in script) return failed('refused', `${file} is no script: ${script.problem}`);

    const record = new CallRecord(callsFolder, run);
    const asked = requestFacts(request);
    const counts = script.entries.some(({ times }) => times !== Number.POSITIVE_INFINITY);
    const earlier = counts ? await record.of(agent) : [];
    const index = script.entries.findIndex(
      (entry, number) => fits(entry, asked) && usesOf(entry, number, { handoff, attempt }, earlier) < entry.times,
    );
    const entry = script.entries[index];
    await record.add({
      at: new Date(clock.nowMs()).toISOString(),
      agent,
      handoff,
      attempt,
      entry: entry ? index : null,
      asked,
      request: { sha256: createHash('sha256').update(request).digest('hex'), bytes: request.length },
    });
    if (!entry)
      return failed('refused', `no entry of ${file} fits ${JSON.stringify(asked)}, or all that fit are used up`);
    await pause(clock, entry.delayMs, signal);
    return signal.aborted ? failed('crash', 'it was ended before it answered') : play(entry, signal);
  };
}

function fits({ when }: ScriptEntry, asked: Facts): boolean {
  return FACT_NAMES.every((name) => when[name] === undefined || when[name] === asked[name]);
}

function usesOf(
  { fail }: ScriptEntry,
  number: number,
  now: { handoff: string; attempt: number },
  calls: readonly Call[],
): number {
  const fails = fail !== null && fail !== 'garbage';
  return calls.filter(({ entry, handoff, attempt }) => {
    if (entry !== number) return false;
    return handoff !== now.handoff || (fails && attempt < now.attempt);
  }).length;
}

const GARBAGE = 'Here is what I did }{ and more';

async function play({ answer, fail, retryAfterMs }: ScriptEntry, signal: AbortSignal): Promise<AskOutcome> {
  const wait = retryAfterMs ?? undefined;
  switch (fail) {
    case null:
      return answered(answer ?? '');
    case 'garbage':
      return answered(GARBAGE);
    case 'timeout':
      // Only the deadline makes a timeout: until then nothing is heard.
      await untilAborted(signal);
      return failed('timeout', 'scripted: it never answers');
    case 'exit':
      return failed('crash', 'scripted: exit 1', wait);
    case 'network':
    case 'limit':
    case 'login':
    case 'auth':
      return failed(fail, `scripted: ${fail}`, wait);
    default:
      return unreachable(fail);
  }
}

function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(delayMs, resolve);
    const stop = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

import type { ErrandEvent } from '../../../src/core/errand/errand-messages.js';
import type { EventRow } from '../../../src/engine/ports.js';
import { nodeHasher } from '../../../src/system/node-hasher.js';
import { answerTo } from '../programs/shell-agents.js';
import type { Claimed } from './stage.js';

/** What the journal alone must show. Each broken promise is a sentence. */
export type Broken = { lost: string[]; twice: string[]; stale: string[]; other: string[] };

const ENDS = ['ErrandDone', 'ErrandFailed', 'ErrandCanceled'];

export function brokenPromises(
  rows: readonly EventRow[],
  acknowledged: ReadonlyMap<string, string>,
  claims: readonly Claimed[],
): Broken {
  const byRun = new Map<string, EventRow[]>();
  for (const row of rows) byRun.set(row.run, [...(byRun.get(row.run) ?? []), row]);
  const perRun = [...byRun].map(([run, own]) => askProblems(run, own));
  return {
    lost: lostKeys(rows, acknowledged),
    twice: [...repeatedKeys(rows), ...perRun.flatMap(({ twice }) => twice)],
    stale: [...byRun].flatMap(([run, own]) => staleWrites(run, own, claims)),
    other: perRun.flatMap(({ other }) => other),
  };
}

/** Acknowledged means recorded, in the run that was named. */
function lostKeys(rows: readonly EventRow[], acknowledged: ReadonlyMap<string, string>): string[] {
  const recorded = new Map<string, string>();
  for (const { key, run } of rows) if (key !== null) recorded.set(key, run);
  return [...acknowledged].flatMap(([key, run]) => {
    const found = recorded.get(key);
    if (found === undefined) return [`${key} was acknowledged and is not in the journal`];
    return found === run ? [] : [`${key} was acknowledged for ${run} and is recorded for ${found}`];
  });
}

/** The events of one command stand together; a key that comes again later took effect twice. */
function repeatedKeys(rows: readonly EventRow[]): string[] {
  const seen = new Map<string, { run: string; seq: number }>();
  return rows.flatMap(({ key, run, seq, type }) => {
    if (key === null) return [];
    const before = seen.get(key);
    seen.set(key, { run, seq });
    if (before === undefined) return [];
    const together = before.run === run && before.seq === seq - 1 && type !== 'LimitsRaised';
    return together ? [] : [`${type} of ${key} is recorded twice`];
  });
}

/** What an earlier owner wrote after a later one was made, by the order of the journal. */
function staleWrites(run: string, rows: readonly EventRow[], claims: readonly Claimed[]): string[] {
  const own = claims.filter((claim) => claim.run === run);
  let newest = 0;
  return rows.flatMap(({ epoch, position, seq, type, actor }) => {
    if ((actor === 'engine') !== (epoch !== null)) return [`${run}: ${actor} wrote ${type} with epoch ${epoch}`];
    if (epoch === null) return [];
    const later = own.find((claim) => claim.epoch > epoch && claim.position < position);
    const isOld = epoch < newest;
    newest = Math.max(newest, epoch);
    if (!later && !isOld) return [];
    return [`${run}: epoch ${epoch} wrote ${type} as event ${seq} after epoch ${later?.epoch ?? newest} began`];
  });
}

/** Asks are numbered and never overlap; every step is answered once, in order, with the answer to its own ask. */
function askProblems(run: string, rows: readonly EventRow[]): { twice: string[]; other: string[] } {
  const twice: string[] = [];
  const other: string[] = [];
  let asks = 0;
  let steps = 0;
  let open = false;
  for (const { type, data } of rows) {
    const event = { ...JSON.parse(data), type } as ErrandEvent;
    if (event.type === 'StepAsked') {
      asks += 1;
      if (open || event.attempt !== asks || event.step !== steps + 1) other.push(`${run}: ask ${asks} is wrong`);
      open = true;
    }
    if (event.type === 'StepAnswered') {
      if (!open || event.step !== steps + 1) twice.push(`${run}: step ${event.step} is answered again`);
      if (event.answer.sha256 !== nodeHasher.sha256(answerTo(run, `ask-${asks}`))) {
        other.push(`${run}: ask ${asks} has the answer to another one`);
      }
      steps = event.step;
      open = false;
    }
    if (event.type === 'StepFailed' || event.type === 'StepLost') {
      if (!open) twice.push(`${run}: ${type} of an ask that is over`);
      open = false;
    }
  }
  const ends = rows.filter(({ type }) => ENDS.includes(type)).length;
  if (ends > 1) twice.push(`${run}: ended ${ends} times`);
  return { twice, other };
}

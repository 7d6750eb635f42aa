import { batchDigest, batchHash, GENESIS } from '../../src/engine/chain.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { nodeHasher } from './node-hasher.js';
import { runProblems } from './run-invariants.js';
import type { SimClient } from './sim-client.js';
import type { Stage } from './trouble.js';
import type { Witness } from './witness.js';

/** Everything that must hold at any moment, whatever happened. Each broken promise is a sentence. */
export function brokenPromises({ journal, client, room, fleet, witness }: Stage & { witness: Witness }): string[] {
  return [
    ...room.problems,
    ...fleet.problems,
    ...client.problems,
    ...witness.problems,
    ...[...journal.runs.keys()].flatMap((run) => runProblems(journal, run, room.asked)),
    ...acknowledgedProblems(journal, client),
    ...journalProblems(journal),
  ];
}

/** Accepted means recorded; asked again, the answer is the one that was given at first. */
function acknowledgedProblems(journal: MemoryJournal, { acknowledged }: SimClient): string[] {
  const answers = new Map(
    journal.rows.map(({ key, run, seq }) => [key, JSON.stringify({ run_id: run, version: seq })] as const),
  );
  return [...acknowledged].flatMap(([key, { run, answer }]) => {
    const recorded = answers.get(key);
    if (recorded === undefined) return [`${run}: ${key} was acknowledged and is lost`];
    return answer === undefined || answer === recorded
      ? []
      : [`${run}: ${key} was answered ${answer}, not ${recorded}`];
  });
}

/** Positions have no gaps, and the chain of commits covers all of them. */
function journalProblems({ rows, batches }: MemoryJournal): string[] {
  const problems: string[] = [];
  rows.forEach(({ position }, index) => {
    if (position !== index + 1) problems.push(`position ${position} stands at ${index + 1}`);
  });
  let head = GENESIS;
  let covered = 0;
  for (const { batch, firstPosition, events, digest, hash } of batches) {
    const hashes = rows.slice(firstPosition - 1, firstPosition - 1 + events).map((row) => row.hash);
    const expected = batchHash(nodeHasher, head, firstPosition, events, batchDigest(nodeHasher, hashes));
    if (firstPosition !== covered + 1 || digest !== batchDigest(nodeHasher, hashes) || hash !== expected) {
      problems.push(`the chain of commits breaks at ${batch}`);
    }
    covered += events;
    head = hash;
  }
  if (covered !== rows.length) problems.push(`the chain of commits covers ${covered} of ${rows.length} events`);
  return problems;
}

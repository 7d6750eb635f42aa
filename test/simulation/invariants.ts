import { eventHash, GENESIS } from '../../src/engine/chain.js';
import type { EventRow } from '../../src/engine/ports.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { nodeHasher } from './node-hasher.js';
import type { AgentRoom } from './sim-agents.js';
import type { SimClient } from './sim-client.js';

/** Everything that must hold at any moment, whatever happened. Each broken promise is a sentence. */
export function brokenPromises(journal: MemoryJournal, client: SimClient, room: AgentRoom): string[] {
  const problems = [...room.collisions];
  for (const run of journal.runs.keys()) problems.push(...runProblems(run, journal.eventsOf(run)));
  const keys = new Set(journal.rows.map(({ key }) => key));
  for (const [key, run] of client.acknowledged) {
    // A command that changed nothing is acknowledged without an event; a submission always has one.
    if (key.startsWith('submit-') && !keys.has(key)) problems.push(`${run}: ${key} was acknowledged and is lost`);
  }
  journal.rows.forEach((row, index) => {
    if (row.position !== index + 1) problems.push(`position ${row.position} stands at ${index + 1}`);
  });
  return problems;
}

function runProblems(run: string, rows: readonly EventRow[]): string[] {
  const problems: string[] = [];
  let head = GENESIS;
  let epoch = 0;
  rows.forEach((row, index) => {
    if (row.seq !== index + 1) problems.push(`${run}: event ${row.seq} stands at ${index + 1}`);
    if (eventHash(nodeHasher, head, row) !== row.hash) problems.push(`${run}: the chain breaks at ${row.seq}`);
    head = row.hash;
    if (row.epoch !== null && row.epoch < epoch) problems.push(`${run}: a former owner wrote event ${row.seq}`);
    epoch = Math.max(epoch, row.epoch ?? 0);
  });
  return [...problems, ...stepProblems(run, rows), ...repeatProblems(run, rows)];
}

/** Steps are answered once each and in order, whoever died in between. */
function stepProblems(run: string, rows: readonly EventRow[]): string[] {
  const answered = rows
    .filter(({ type }) => type === 'StepAnswered')
    .map(({ data }) => JSON.parse(data).step as number);
  const expected = answered.map((_, index) => index + 1);
  return JSON.stringify(answered) === JSON.stringify(expected) ? [] : [`${run}: steps answered ${answered.join(', ')}`];
}

/** A keyed command takes effect once, and a report arrives once per sender. */
function repeatProblems(run: string, rows: readonly EventRow[]): string[] {
  const seen = new Map<string, string>();
  const problems: string[] = [];
  for (const { key, at, type, actor } of rows) {
    if (key === null) continue;
    const first = seen.get(key);
    if (first !== undefined && first !== at) problems.push(`${run}: ${type} of ${key} by ${actor} is recorded twice`);
    seen.set(key, at);
  }
  const ends = rows.filter(({ type }) => ['ErrandDone', 'ErrandFailed', 'ErrandCanceled'].includes(type)).length;
  if (ends > 1) problems.push(`${run}: ended ${ends} times`);
  return problems;
}

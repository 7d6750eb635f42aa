import { errandDecider } from '../../src/core/errand/errand-decider.js';
import type { ErrandEvent } from '../../src/core/errand/errand-messages.js';
import type { Errand } from '../../src/core/errand/errand-state.js';
import { eventHash, GENESIS } from '../../src/engine/chain.js';
import type { EventRow } from '../../src/engine/ports.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { nodeHasher } from './node-hasher.js';
import { answerTo } from './sim-agents.js';

/** What must hold for one run. */
export function runProblems(journal: MemoryJournal, run: string, asked: readonly string[]): string[] {
  const rows = journal.eventsOf(run);
  const events = rows.map(({ type, data }) => ({ ...JSON.parse(data), type }) as ErrandEvent);
  return [
    ...chainProblems(rows),
    ...askProblems(events, run),
    ...paymentProblems(events, run, asked),
    ...repeatProblems(rows),
    ...bodyProblems(journal, events),
    ...projectionProblems(journal, run, events),
  ].map((problem) => `${run}: ${problem}`);
}

function chainProblems(rows: readonly EventRow[]): string[] {
  const problems: string[] = [];
  let head = GENESIS;
  let epoch = 0;
  rows.forEach((row, index) => {
    if (row.seq !== index + 1) problems.push(`event ${row.seq} stands at ${index + 1}`);
    if (eventHash(nodeHasher, head, row) !== row.hash) problems.push(`the chain breaks at ${row.seq}`);
    head = row.hash;
    if (row.epoch !== null && row.epoch < epoch) problems.push(`a former owner wrote event ${row.seq}`);
    if ((row.actor === 'engine') !== (row.epoch !== null)) problems.push(`${row.actor} wrote ${row.type} as owner`);
    epoch = Math.max(epoch, row.epoch ?? 0);
  });
  return problems;
}

/** Asks are numbered and never overlap, each has one result, and steps are answered once each and in order. */
function askProblems(events: readonly ErrandEvent[], run: string): string[] {
  const problems: string[] = [];
  let asks = 0;
  let steps = 0;
  let open = false;
  for (const event of events) {
    switch (event.type) {
      case 'StepAsked':
        asks += 1;
        if (open || event.attempt !== asks || event.step !== steps + 1) problems.push(`ask ${event.attempt} is wrong`);
        open = true;
        break;
      case 'StepAnswered':
        steps += 1;
        if (event.step !== steps) problems.push(`step ${event.step} is answered as number ${steps}`);
        if (event.answer.sha256 !== nodeHasher.sha256(answerTo(run, `ask-${asks}`))) {
          problems.push(`ask ${asks} has the answer to another one`);
        }
        if (!open) problems.push(`step ${event.step} is answered but was not asked`);
        open = false;
        break;
      case 'StepFailed':
      case 'StepLost':
        if (!open || event.step !== steps + 1) problems.push(`${event.type} of step ${event.step}, which is not asked`);
        open = false;
    }
  }
  return problems;
}

/** What an agent was paid is recorded at most once, and never for a step that nobody was asked. */
function paymentProblems(events: readonly ErrandEvent[], run: string, asked: readonly string[]): string[] {
  const paid = events.filter((event) => 'usage' in event && event.usage.costMicroUsd > 0).length;
  const worked = asked.filter((ask) => ask.startsWith(`${run} `)).length;
  return paid > worked ? [`paid ${paid} times for ${worked} asks`] : [];
}

/** A keyed command takes effect once, and a run ends once. */
function repeatProblems(rows: readonly EventRow[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, number>();
  for (const { key, seq, type, actor } of rows) {
    if (key === null) continue;
    const last = seen.get(key);
    // The events of one command stand together.
    if (last !== undefined && (last !== seq - 1 || type === 'ReportReceived' || type === 'LimitsRaised')) {
      problems.push(`${type} of ${key} by ${actor} is recorded twice`);
    }
    seen.set(key, seq);
  }
  const reporters = rows.filter(({ type }) => type === 'ReportReceived').map(({ actor }) => actor);
  if (new Set(reporters).size < reporters.length) problems.push('somebody reported twice');
  const ends = rows.filter(({ type }) => ['ErrandDone', 'ErrandFailed', 'ErrandCanceled'].includes(type)).length;
  if (ends > 1) problems.push(`ended ${ends} times`);
  return problems;
}

function bodyProblems(journal: MemoryJournal, events: readonly ErrandEvent[]): string[] {
  return events
    .flatMap((event) => {
      if (event.type === 'ErrandSubmitted') return [event.request];
      if (event.type === 'StepAnswered') return [event.answer];
      return event.type === 'CheckEnded' ? [event.output] : [];
    })
    .filter(({ sha256 }) => !journal.bodies.has(sha256))
    .map(({ sha256 }) => `the body ${sha256} is not there`);
}

/** The row in lists, the inbox and the snapshot say what the events say. */
function projectionProblems(journal: MemoryJournal, run: string, events: readonly ErrandEvent[]): string[] {
  const problems: string[] = [];
  const snapshot = journal.snapshots.get(run);
  const questions = new Map<string, boolean>();
  let state: Errand = errandDecider.initialState();
  events.forEach((event, index) => {
    state = errandDecider.evolve(state, event);
    const change = errandDecider.inbox(event);
    if (change) questions.set('open' in change ? change.open.key : change.close, 'open' in change);
    if (snapshot?.version === index + 1 && snapshot.state !== JSON.stringify(inRelease(snapshot.machineVersion, state)))
      problems.push(`the snapshot at ${snapshot.version} is of another state`);
  });
  const row = journal.runs.get(run);
  const expected = { ...errandDecider.summary(state), version: events.length };
  const stored = Object.fromEntries(Object.keys(expected).map((name) => [name, row?.[name as keyof typeof row]]));
  if (JSON.stringify(stored) !== JSON.stringify(expected)) problems.push(`its row says ${JSON.stringify(stored)}`);
  const inbox = journal.inbox
    .filter((item) => item.run === run)
    .map(({ key, answeredAt }) => [key, answeredAt === null]);
  if (JSON.stringify(inbox) !== JSON.stringify([...questions]))
    problems.push(`its inbox says ${JSON.stringify(inbox)}`);
  return problems;
}

function inRelease(machineVersion: number, state: Errand): unknown {
  return machineVersion === errandDecider.version ? state : { packed: state };
}

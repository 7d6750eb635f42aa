import { jobDecider } from '../../src/core/job/job-decider.js';
import type { JobOrder } from '../../src/core/job/job-order.js';
import { builtInPhases } from '../../src/core/job/job-order.js';
import { JobStory, order } from '../../src/core/job/job-story.js';
import type { InboxQuestion } from '../../src/core/kernel/inbox.js';
import { eventHash, GENESIS } from '../../src/engine/chain.js';
import type { Append, EventStore, Hasher, SealedEvent } from '../../src/engine/ports.js';
import type { Scrubbed } from '../../src/engine/scrub.js';

const AT_ONCE = 200;
const DAY_MS = 86_400_000;
const DOLLAR = 1_000_000;

export type Seed = { id: string; story: JobStory };

/** Writes jobs that were lived elsewhere into a store, as their machine decided them and with the times they say. */
export async function seedJobs(store: EventStore, hasher: Hasher, seeds: readonly Seed[]): Promise<void> {
  for (let first = 0; first < seeds.length; first += AT_ONCE) {
    await store.append(seeds.slice(first, first + AT_ONCE).map((seed) => sealed(hasher, seed)));
  }
}

function sealed(hasher: Hasher, { id, story }: Seed): Append {
  const open: InboxQuestion[] = [];
  const close: string[] = [];
  let head = GENESIS;
  const events = story.events.map((event, index): SealedEvent => {
    const { type, ...said } = event;
    const data = JSON.stringify(said) as Scrubbed;
    const row = { run: id, seq: index + 1, type, at: new Date(event.atMs).toISOString(), actor: 'anna', key: null };
    head = eventHash(hasher, head, { ...row, epoch: null, data });
    const change = jobDecider.inbox(event);
    if (change && 'open' in change) open.push(change.open);
    if (change && 'close' in change) close.push(change.close);
    return { seq: row.seq, type, data, at: row.at, actor: row.actor, key: null, hash: head };
  });
  const left = open.filter(({ key }) => !close.includes(key));
  const summary = jobDecider.summary(story.live);
  return {
    run: id,
    kind: 'job',
    expected: 0,
    prev: GENESIS,
    events,
    bodies: [],
    inbox: { open: left, close: [] },
    summary,
  };
}

/** Many that ended long ago, a few of them with an answer, and some that wait. */
export function manyJobs(count: number, nowMs: number): Seed[] {
  return Array.from({ length: count }, (_, index) => {
    const atMs = nowMs - (count - index) * 60_000;
    const begun = beginAt(atMs, { title: `Job number ${index + 1}` });
    if (index % 500 === 7) return { id: `job-${index + 1}`, story: worked(begun, 'STUCK', 0.2) };
    const story = index % 10 === 0 ? reviewed(worked(begun, 'COMPLETED', 0.3), 0.1) : begun.tell({ type: 'Cancel' });
    return { id: `job-${index + 1}`, story };
  });
}

const TITLES = [
  ...['Retry webhook deliveries with backoff', 'Fix rounding in JPY refunds', 'Embed fonts in invoice PDFs'],
  ...['Rename MerchantId across packages', 'Rotate the webhook signing keys', 'Cut p99 of /charges below 120 ms'],
  ...['Type the public SDK errors', 'Document idempotency keys', 'Contract tests for payouts'],
  ...['Replace moment with Temporal', 'Fix the flaky ledger test', 'Move feature flags to the new table'],
] as const;
const AGENTS = ['codex-main', 'codex-main', 'claude-docs', 'claude-arch', 'codex-main', 'release-lead'] as const;

/** Two months of a house that works on weekdays, and what stands on its board today. */
export function houseOfWork(nowMs: number): Seed[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const seeds: Seed[] = [];
  for (let day = 59; day >= 1; day -= 1) {
    const weekend = [0, 6].includes(new Date(today - day * DAY_MS).getUTCDay());
    const jobs = weekend ? 1 : 4 + ((day * 7) % 4);
    for (let turn = 0; turn < jobs; turn += 1)
      seeds.push(pastJob(seeds.length, today - day * DAY_MS + (7 + turn) * 3_600_000));
  }
  return [...seeds, ...boardOf(nowMs)];
}

function pastJob(number: number, atMs: number): Seed {
  const title = TITLES[number % TITLES.length] ?? '';
  const worker = AGENTS[number % AGENTS.length] ?? 'codex-main';
  const phases = builtInPhases(worker, 'claude-review');
  const begun = beginAt(atMs, { title, phases, limits: { costMicroUsd: 20 * DOLLAR } });
  const cost = 0.4 + ((number * 37) % 100) / 30;
  const once = worked(begun, 'COMPLETED', cost);
  const story =
    number % 7 === 3
      ? reviewed(worked(sentBack(once, cost / 5), 'COMPLETED', cost / 2), cost / 4)
      : reviewed(once, cost / 4);
  return { id: `past-${number + 1}`, story };
}

function boardOf(nowMs: number): Seed[] {
  const at = (minutes: number, id: string, title: string, changes: Partial<JobOrder> = {}) => ({
    id,
    begun: beginAt(nowMs - minutes * 60_000, { title, ...changes }),
  });
  const approval = at(60, 'webhook-backoff', 'Retry webhook deliveries with backoff', { approval: true });
  const stuck = at(48, 'ci-flaky-ledger', 'Fix the flaky ledger test');
  const cost = at(40, 'reports-port', 'Port reports to the warehouse', { limits: { costMicroUsd: 4 * DOLLAR } });
  const done = at(95, 'jpy-round', 'Fix rounding in JPY refunds');
  const other = at(140, 'merchant-id', 'Rename MerchantId across packages');
  const gone = at(150, 'queue-lib', 'Try the new queue library');
  const draft = at(20, 'sdk-errors', 'Type the public SDK errors');
  return [
    { id: other.id, story: reviewed(worked(other.begun, 'COMPLETED', 0.47), 0.12) },
    { id: gone.id, story: worked(gone.begun, 'STUCK', 0.07).tell({ type: 'Terminate' }) },
    { id: done.id, story: reviewed(worked(done.begun, 'COMPLETED', 0.59), 0.2) },
    { id: approval.id, story: reviewed(worked(approval.begun, 'COMPLETED', 1.51), 0.4) },
    { id: stuck.id, story: worked(stuck.begun, 'STUCK', 0.22) },
    { id: cost.id, story: worked(cost.begun, 'COMPLETED', 4.02) },
    { id: draft.id, story: draftAt(nowMs - 20 * 60_000, 'Type the public SDK errors', []) },
    { id: 'docs-idem', story: draftAt(nowMs - 12 * 60_000, 'Document idempotency keys', ['sdk-errors']) },
    { id: 'release-notes', story: draftAt(nowMs - 4 * 60_000, 'Write the release notes', []) },
  ];
}

const LIMITS = { costMicroUsd: 5 * DOLLAR, activeMs: 3_600_000 };

function beginAt(atMs: number, changes: Partial<JobOrder>): JobStory {
  const phases = builtInPhases('codex-main', 'claude-review');
  const submit = { type: 'Submit', order: order({ phases, limits: LIMITS, ...changes }), activate: true } as const;
  return new JobStory().after(atMs - 1_000).tell(submit);
}

function draftAt(atMs: number, title: string, after: readonly string[]): JobStory {
  const phases = builtInPhases('codex-main', 'claude-review');
  const submit = { type: 'Submit', order: order({ title, phases, limits: LIMITS, after }), activate: false } as const;
  return new JobStory().after(atMs - 1_000).tell(submit);
}

function worked(story: JobStory, action: 'COMPLETED' | 'STUCK', usd: number): JobStory {
  const prepared = story.live.workspace ? story : story.after(2_000).prepared();
  return prepared
    .after(1_000)
    .admitted()
    .after(420_000)
    .answers(action, { reported: used(usd) });
}

function reviewed(story: JobStory, usd: number): JobStory {
  return story
    .after(1_000)
    .admitted()
    .after(90_000)
    .answers('COMPLETED', { reported: used(usd) });
}

function sentBack(story: JobStory, usd: number): JobStory {
  return story
    .after(1_000)
    .admitted()
    .after(90_000)
    .answers('RETRY', { reported: used(usd) });
}

function used(usd: number) {
  return {
    inputTokens: Math.round(usd * 180_000),
    outputTokens: Math.round(usd * 9_000),
    costMicroUsd: Math.round(usd * DOLLAR),
  };
}

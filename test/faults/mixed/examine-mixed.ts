import { examineBridges } from '../bridge/examine-bridges.js';
import { examineEnvelopes } from '../envelopes/examine-envelopes.js';
import type { Undisturbed } from '../envelopes/undisturbed.js';
import { examineJobs } from '../jobs/examine-jobs.js';
import { examineOperator } from '../operator/examine-operator.js';
import { examineSession } from '../sessions/examine-session.js';
import type { Scene } from './flows.js';

type Found = { lost: string[]; twice: string[]; other: string[]; notes: string[] };

const PAGE = 500;

/** All that each contract promises, and what holds for the home as a whole. */
export async function examineMixed(scene: Scene, expected: Undisturbed): Promise<Found> {
  const { stage } = scene;
  const found: Found[] = [
    await examineJobs(stage.jobs),
    await examineOperator(stage.operator),
    await examineEnvelopes(stage.envelopes, expected),
    await examineBridges(stage.bridges),
    examineSessions(scene),
    await examineOrders(scene),
    await examineRest(scene),
  ];
  // Several look at the whole home, and see the same.
  const all = (of: keyof Found): string[] => [...new Set(found.flatMap((one) => one[of]))];
  return { lost: all('lost'), twice: all('twice'), other: all('other'), notes: all('notes') };
}

function examineSessions({ sessions }: Scene): Found {
  const found = sessions.map(examineSession);
  const events = sessions.reduce((sum, { story }) => sum + story.events.length, 0);
  return {
    lost: [...found.flatMap(({ lost }) => lost), ...sessions.flatMap(({ lost }) => lost)],
    twice: found.flatMap(({ twice }) => twice),
    other: found.flatMap(({ other }) => other),
    notes: [`${sessions.length} sessions, ${events} events told`],
  };
}

/** One key, one job; one key, one session. */
async function examineOrders({ stage, orders, sessions }: Scene): Promise<Found> {
  const rows = await runsOf(stage.store);
  const lost: string[] = [];
  const twice: string[] = [];
  for (const [words, run] of orders) {
    const made = rows.filter(({ kind, title }) => kind === 'job' && title === words);
    if (!made.some((one) => one.run === run)) lost.push(`${words} was acknowledged as ${run}, and is not there`);
    if (made.length > 1) twice.push(`${words} was made ${made.length} times under one key`);
  }
  for (const { id, name } of sessions) {
    // Sessions are called by their folders.
    const made = rows.filter(({ kind, run }) => kind === 'session' && run.startsWith(`${name}-`));
    if (!made.some((one) => one.run === id)) lost.push(`${name} was acknowledged as ${id}, and is not there`);
    if (made.length > 1) twice.push(`${name} was opened ${made.length} times under one key`);
  }
  return { lost, twice, other: [], notes: [] };
}

async function examineRest({ stage: { store } }: Scene): Promise<Found> {
  const rows = await runsOf(store);
  const other = rows.flatMap(({ run, status, owes, wakeAtMs, owner }) =>
    owes || wakeAtMs !== null || owner !== null ? [`${run} is not at rest: ${status}, owner ${owner}`] : [],
  );
  return {
    lost: [],
    twice: [],
    other,
    notes: [`${rows.length} runs besides tasks on one home, all at rest: ${other.length === 0}`],
  };
}

async function runsOf(store: Scene['stage']['store']) {
  const found = [];
  let after: string | undefined;
  do {
    const { items, next } = await store.runs({ limit: PAGE, ...(after !== undefined && { after }) });
    found.push(...items);
    after = next ?? undefined;
  } while (after !== undefined);
  return found;
}

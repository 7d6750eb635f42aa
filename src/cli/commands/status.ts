import type { Desk } from '../../engine/desk.js';
import type { InboxRow, RunRow } from '../../engine/ports.js';
import { runObject } from '../../engine/shown/run-object.js';
import { duration, usd } from '../job/amounts.js';
import { goesOnWith, isDriven } from '../job/goes-on-with.js';
import { itemLine } from '../job/item-view.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { shortRun } from '../operator/short-run.js';
import { printable, printableJson } from '../printable.js';

/** Runs of each kind that are under way, by their statuses. */
const ACTIVE: Readonly<Record<string, readonly string[]>> = {
  job: ['RUNNING', 'REVIEWING', 'PENDING'],
  ledger: ['running'],
  envelope: ['running'],
  bridge: ['running', 'asking', 'delivering', 'finishing'],
  session: ['running'],
};
const SHOWN_MAX = 10;
const LOOKED_AT_MAX = 1_000;

type Status = {
  items: readonly InboxRow[];
  active: readonly RunRow[];
  /** Runs under way that nobody drives. */
  left: ReadonlySet<string>;
  doneToday: readonly RunRow[];
  loginOf: ReadonlyMap<string, string>;
  logins: readonly [string, { loss: number | null; untilMs: number }][];
};

/** `baton` alone: what waits for you, what runs, what a provider holds up, and what to do next. */
export const runStatus: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const status = await statusOf(desk);
    if (parsed.values.json) {
      const { items, active, doneToday, logins } = status;
      const waiting = items.map(({ item, run, kind, title }) => ({ item, run_id: run, kind, title }));
      const paused = logins.map(([login, { loss, untilMs }]) => ({ login, lost: loss !== null, until_ms: untilMs }));
      const itemOf = (run: string) => items.find((one) => one.run === run)?.item ?? null;
      const runs = active.map((row) => runObject(row, itemOf(row.run)));
      io.out(`${printableJson({ waiting, active: runs, done_today: doneToday.length, paused })}\n`);
    } else for (const line of linesOf(status, desk.clock.nowMs())) io.out(`${line}\n`);
    return 0;
  });

async function statusOf(desk: Desk): Promise<Status> {
  const { store, clock } = desk;
  const looks = Object.entries(ACTIVE).flatMap(([kind, statuses]) => statuses.map((status) => ({ kind, status })));
  const pages = await Promise.all(looks.map((look) => store.runs({ ...look, limit: LOOKED_AT_MAX })));
  const today = new Date(clock.nowMs()).setHours(0, 0, 0, 0);
  const [jobs, ledgers] = await Promise.all([
    store.runs({ kind: 'job', status: 'SUCCESS', limit: LOOKED_AT_MAX }),
    store.runs({ kind: 'ledger', status: 'done', limit: LOOKED_AT_MAX }),
  ]);
  const done = [...jobs.items, ...ledgers.items];
  const system = await desk.inbox.system();
  const nowMs = clock.nowMs();
  const active = pages.flatMap(({ items }) => items);
  const agents = [...new Set(active.map(({ agent }) => agent ?? ''))];
  return {
    items: await desk.inbox.open(0, LOOKED_AT_MAX),
    active,
    left: await leftOf(desk, active),
    loginOf: new Map(await Promise.all(agents.map(async (agent) => [agent, await desk.loginOf(agent)] as const))),
    doneToday: done.filter(({ updatedAt }) => Date.parse(updatedAt) >= today),
    logins: [...(system?.logins ?? [])].filter(([, { loss, untilMs }]) => loss !== null || untilMs > nowMs),
  };
}

function linesOf(status: Status, nowMs: number): string[] {
  const { items, active, left, doneToday, logins, loginOf } = status;
  const lineOf = (row: RunRow): string => runLine(row, left.has(row.run), nowMs);
  const running = active.filter(({ status: name, waitingFor }) => name !== 'PENDING' && waitingFor === null);
  const queued = active.filter(({ status: name }) => name === 'PENDING');
  const waitingFor = (login: string): number => queued.filter(({ agent }) => loginOf.get(agent ?? '') === login).length;
  const spent = doneToday.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0);
  const head = [
    `${running.length} running`,
    `${items.length} wait for you`,
    ...(queued.length > 0 ? [`${queued.length} queued`] : []),
    `${doneToday.length} done today`,
    ...(spent > 0 ? [`${usd(spent)} for them`] : []),
  ];
  return [
    head.join(' · '),
    ...section(
      'WAIT FOR YOU',
      items.map((row) => itemLine(row, nowMs)),
    ),
    ...section('RUNNING', running.map(lineOf)),
    ...section('QUEUED', queued.map(lineOf)),
    ...section(
      'PAUSED BY A PROVIDER',
      logins.map(([login, closed]) => pauseLine(login, closed, waitingFor(login), nowMs)),
    ),
    '',
    nextLine(items, active, left),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > SHOWN_MAX ? [`  and ${lines.length - SHOWN_MAX} more`] : [];
  return ['', title, ...lines.slice(0, SHOWN_MAX), ...more];
}

async function leftOf({ store }: Desk, active: readonly RunRow[]): Promise<ReadonlySet<string>> {
  const driving = new Map<string | null, boolean>();
  for (const { owner } of active) if (!driving.has(owner)) driving.set(owner, await isDriven(store, { owner }));
  return new Set(active.flatMap(({ run, owner }) => (driving.get(owner) ? [] : [run])));
}

function runLine(row: RunRow, isLeft: boolean, nowMs: number): string {
  const { status, agent, updatedAt, costMicroUsd } = row;
  const run = shortRun(row.run);
  const since = duration(Math.max(0, nowMs - Date.parse(updatedAt))).padStart(7);
  const goesOn = goesOnWith(row);
  const driven = isLeft ? `   nobody drives it${goesOn === undefined ? '' : `: ${goesOn}`}` : '';
  return printable(
    `  ${run.padEnd(24)} ${status.padEnd(10)} ${(agent ?? '').padEnd(10)} ${since}  ${usd(costMicroUsd)}${driven}`,
  );
}

function pauseLine(
  login: string,
  { loss, untilMs }: { loss: number | null; untilMs: number },
  waiting: number,
  nowMs: number,
): string {
  const jobs = `${waiting} ${waiting === 1 ? 'job waits and starts by itself' : 'jobs wait and start by themselves'}`;
  const why = loss === null ? `limit for another ${duration(untilMs - nowMs)}` : 'not logged in';
  return printable(`  ${login}: ${why}, ${jobs}`);
}

function nextLine(items: readonly InboxRow[], active: readonly RunRow[], left: ReadonlySet<string>): string {
  const [first] = items;
  if (first) return `Next: baton inbox ${first.item}`;
  const idle = active.flatMap((row) => (left.has(row.run) ? (goesOnWith(row) ?? []) : []));
  if (idle[0] !== undefined) return printable(`Next: ${idle[0]}`);
  return active.length > 0
    ? 'Next: nothing; they go on by themselves'
    : 'Next: baton run "…"     all commands: baton --help';
}

import type { LedgerObject } from '../../contracts/api/ledger-shapes.js';
import type { LedgerEvent } from '../../core/ledger/ledger-messages.js';
import type { Desk } from '../../engine/desk.js';
import type { EventRow } from '../../engine/ports.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { driveUntilRest, RunTail } from '../job/drive.js';
import { mark } from '../mark.js';
import { printable, printableJson } from '../printable.js';
import { untilStopped } from '../until-stopped.js';
import { shortRun } from './short-run.js';
import { watchWaiting } from './waiting-attempts.js';

/** Drives or watches a ledger until nothing more can be done, telling what happens; says how it stands. */
export async function watchLedger(
  desk: Desk,
  parsed: Parsed,
  io: Io,
  run: string,
  { plans = false }: { plans?: boolean } = {},
): Promise<number> {
  const stop = untilStopped();
  const before = (await desk.store.run(run))?.version ?? 0;
  const tail = new RunTail<LedgerEvent>(desk, run, before, async (event, row) => {
    if (!parsed.values.json) tell(io, event, row);
  });
  const enough = new AbortController();
  stop.signal.addEventListener('abort', () => enough.abort());
  const unwatch = watchWaiting(desk, run, {
    onWaits: ({ item, question }, task) => {
      if (!parsed.values.json)
        io.err(`          ${printable(`${task}  waits for you: ${question}`)}  baton inbox ${item}\n`);
    },
    onAllWait: () => enough.abort(),
  });
  try {
    await driveUntilRest(desk, run, enough.signal);
    if (enough.signal.aborted) await desk.engine.stop(0);
    await tail.end();
  } finally {
    unwatch();
    stop.forget();
  }
  const ledger = await desk.operator.object(run);
  const asks = (await desk.store.run(run))?.waitingFor != null;
  if (parsed.values.json) io.out(`${printableJson(ledger)}\n`);
  else if (!plans || ledger.tasks.length === 0) io.err(endWords(io, ledger, asks));
  if (stop.why() === 'interrupted') return 130;
  return plans && ledger.tasks.length > 0 ? 0 : ledgerExit(ledger);
}

export function ledgerExit({ status, tasks }: LedgerObject): number {
  if (status === 'done') return 0;
  return tasks.some((task) => task.status === 'failed') ? 1 : 3;
}

function tell(io: Io, event: LedgerEvent, { at }: EventRow): void {
  const words = wordsOf(event);
  if (words !== undefined) io.err(`${at.slice(11, 19)}  ${printable(words)}\n`);
}

function wordsOf(event: LedgerEvent): string | undefined {
  switch (event.type) {
    case 'TaskAssigned':
      return `${event.task}  to ${event.owner}${event.attempt > 1 ? `, try ${event.attempt}` : ''}`;
    case 'TaskMoved': {
      const why = event.code === null ? '' : `  ${event.code}: ${event.reason ?? ''}`;
      return `${event.task}  ${event.to}${event.commit ? `, merged as ${event.commit.slice(0, 7)}` : ''}${why}`;
    }
    case 'TaskRequeued': {
      const how = event.agent ? ` by ${event.agent}` : event.alone ? ' alone' : '';
      return `${event.task}  is tried again${how}  ${event.code}: ${event.reason}`;
    }
    case 'PlanningBegun':
      return `${event.agent} is asked for a plan`;
    case 'PlanTaken':
      return event.code === null ? 'the plan holds' : `no plan: ${event.code}: ${event.reason}`;
    case 'TasksPlanned':
      return `${event.tasks.length} tasks planned`;
    case 'LedgerHalted':
      return `nothing goes on: ${event.reason}`;
    default:
      return undefined;
  }
}

function endWords(io: Io, { run_id, status, tasks }: LedgerObject, asks: boolean): string {
  const done = tasks.filter((task) => task.status === 'done').length;
  const name = shortRun(run_id);
  const head = `\n${mark(io, status === 'done' ? 'ok' : 'bad')} ${name} ${status}, ${done} of ${tasks.length} tasks done`;
  const more = [
    ...(done > 0 ? [`  work: branch baton/${run_id}`] : []),
    `  all of it: baton operator ledger ${name}`,
    ...(asks ? ['  what waits for you: baton inbox'] : []),
  ];
  return `${[head, ...inVain(tasks).map(printable), ...more].join('\n')}\n`;
}

const IN_VAIN_TOLD_MAX = 5;

/** Who waits for what will never be done. */
function inVain(tasks: LedgerObject['tasks']): string[] {
  const over = new Map(tasks.flatMap(({ task_id, status }) => (OVER.has(status) ? [[task_id, status]] : [])));
  const waiting = tasks.filter(({ status }) => status === 'todo');
  const words = waiting.flatMap(({ task_id, dependencies }) => {
    const needed = dependencies.find((one) => over.has(one));
    return needed === undefined ? [] : [`  ${task_id} waits for ${needed}, which is ${over.get(needed)}`];
  });
  const more = words.length - IN_VAIN_TOLD_MAX;
  return more > 0 ? [...words.slice(0, IN_VAIN_TOLD_MAX), `  and ${more} more`] : words;
}

const OVER: ReadonlySet<string> = new Set(['failed', 'canceled']);

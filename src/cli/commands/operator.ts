import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import { HANDOFF } from '../../core/task/task-state.js';
import type { Desk } from '../../engine/desk.js';
import type { Parsed } from '../command.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { isUtf8 } from '../locale.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { ledgerLines } from '../operator/ledger-view.js';
import { lockTreeLines } from '../operator/lock-tree.js';
import { readLedgerOptions, readPace } from '../operator/read-ledger-options.js';
import { shortRun } from '../operator/short-run.js';
import type { ViewStyle } from '../operator/view-style.js';
import { watchLedger } from '../operator/watch-ledger.js';
import { worklogLines } from '../operator/worklog-view.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { readJsonFile } from '../read-json-file.js';
import { readWhole } from '../read-whole.js';

const EPOCH_MAX = 1_000_000_000;

export const runOperatorInit: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const run = await opened(desk, parsed, io, parsed.positionals[0]);
    return shown(desk, parsed, io, run, `Nothing is begun yet: baton operator run ${shortRun(run)}`);
  });

/** A plan whose run is there already is gone on with. */
export const runOperatorRun: DeskCommand = (parsed, io, open) =>
  atDesk(open, { drives: true }, async (desk) => {
    const [named = ''] = parsed.positionals;
    const run = (await known(desk, io, named)) ?? (await planned(desk, parsed, io, named));
    const { agent, ...pace } = readPace(parsed);
    await desk.operator.go(run, { ...pace, ...(agent && { agent }) }, by(io));
    return watchLedger(desk, parsed, io, run);
  });

/** From an objective, or once more for a run whose tasks are blocked. */
export const runOperatorPlan: DeskCommand = (parsed, io, open) =>
  atDesk(open, { drives: true }, async (desk) => {
    const [said = ''] = parsed.positionals;
    const there = await known(desk, io, said);
    if (there !== undefined) await desk.operator.replan(there, by(io));
    const run =
      there ?? (await desk.operator.plan(await objectiveOf(io, said), await planningOf(desk, parsed, io), by(io)));
    const code = await watchLedger(desk, parsed, io, run, { plans: true });
    if (code === 0 && !parsed.values.json)
      await shown(desk, parsed, io, run, `Begin it: baton operator run ${shortRun(run)}`);
    return code;
  });

async function objectiveOf(io: Io, said: string): Promise<{ global_objective: string }> {
  const text = said === '-' ? new TextDecoder().decode(await readWhole(said, io, BYTES_MAX)) : said;
  return { global_objective: text.trim() };
}

async function planningOf(desk: Desk, parsed: Parsed, io: Io) {
  const options = await readLedgerOptions(desk, parsed, io);
  const planner = options.planner ?? options.agent;
  if (planner === undefined) throw new BatonError('USAGE', 'who plans? Say --planner AGENT');
  return { ...options, planner };
}

/** Undefined when it names no run. */
async function known(desk: Desk, { cwd }: Io, named: string): Promise<string | undefined> {
  if (!/^(LAST|[0-9a-fA-F-]{4,36})$/.test(named)) return undefined;
  try {
    return (await findRun(desk.store, named, cwd, 'ledger')).run;
  } catch (failure) {
    if (failure instanceof BatonError && failure.code === 'RUN_NOT_FOUND') return undefined;
    throw failure;
  }
}

async function planned(desk: Desk, parsed: Parsed, io: Io, file: string): Promise<string> {
  const plan = await readJsonFile(file, io);
  const { run_id = '' } = (plan ?? {}) as { run_id?: unknown };
  const isOpen = async (): Promise<boolean> => (await desk.store.run(String(run_id)))?.kind === 'ledger';
  if (await isOpen()) return String(run_id);
  try {
    return await desk.operator.init(plan, await readLedgerOptions(desk, parsed, io), by(io));
  } catch (failure) {
    // Somebody else has opened it meanwhile.
    if (failure instanceof BatonError && failure.code === 'ID_TAKEN' && (await isOpen())) return String(run_id);
    throw failure;
  }
}

async function opened(desk: Desk, parsed: Parsed, io: Io, file: string | undefined): Promise<string> {
  const bundle = textOption(parsed, 'handoff');
  if ((bundle === undefined) === (file === undefined)) {
    throw new BatonError('USAGE', 'name either a plan or --handoff FILE');
  }
  const options = await readLedgerOptions(desk, parsed, io);
  if (bundle !== undefined) return desk.operator.takeOver(await readJsonFile(bundle, io), options, by(io));
  return desk.operator.init(await readJsonFile(file ?? '', io), options, by(io));
}

type Work = (desk: Desk, run: string, parsed: Parsed, io: Io) => Promise<number>;

/** For commands on a ledger that is there. */
function onLedger(work: Work): DeskCommand {
  return (parsed, io, open) =>
    atDesk(open, {}, async (desk) => {
      const { run } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd, 'ledger');
      return work(desk, run, parsed, io);
    });
}

/** For what changes it: the ledger is what is answered with. */
function changing(change: (desk: Desk, run: string, parsed: Parsed, io: Io) => Promise<void>): DeskCommand {
  return onLedger(async (desk, run, parsed, io) => {
    await change(desk, run, parsed, io);
    return shown(desk, parsed, io, run);
  });
}

export const runOperatorHeartbeat = changing((desk, run, parsed) => {
  const at = textOption(parsed, 'at');
  return desk.operator.heartbeat(run, taskOf(parsed), { epoch: epochOf(parsed), ...(at !== undefined && { at }) });
});

export const runOperatorResult = changing(async (desk, run, parsed, io) => {
  const file = parsed.positionals[1] ?? '';
  const bytes = await readWhole(file === '-' ? file : path.resolve(io.cwd, file), io, BYTES_MAX);
  await desk.operator.resultText(run, new TextDecoder().decode(bytes), { epoch: epochOf(parsed) }, by(io));
});

export const runOperatorDelta = changing(async (desk, run, parsed, io) => {
  await desk.operator.delta(run, await readJsonFile(parsed.positionals[1] ?? '', io), by(io));
});

export const runOperatorTick = changing((desk, run, _, io) => desk.operator.tick(run, by(io)));

export const runOperatorReconcile = changing((desk, run) => desk.operator.reconcile(run));

export const runOperatorAssign = onLedger(async (desk, run, parsed, io) =>
  printed(io, await desk.operator.assign(run, taskOf(parsed), ownerOf(parsed, io), by(io))),
);

export const runOperatorClaim = onLedger(async (desk, run, parsed, io) =>
  printed(io, await desk.operator.claim(run, ownerOf(parsed, io), by(io))),
);

export const runOperatorHandoff = onLedger(async (desk, run, _, io) => printed(io, await desk.operator.handoff(run)));

export const runOperatorLedger = onLedger((desk, run, parsed, io) => shown(desk, parsed, io, run));

export const runOperatorLocks = onLedger(async (desk, run, parsed, io) => {
  const board = await desk.operator.board(run);
  if (parsed.values.json) return printed(io, { run_id: run, active_locks: board.ledger.active_locks });
  return lines(io, lockTreeLines(board, styleOf(io)));
});

export const runOperatorWorklog = onLedger(async (desk, run, parsed, io) => {
  const task = parsed.positionals[1] ?? null;
  if (parsed.values.log) return printedBy(desk, run, taskOf(parsed), io);
  const entries = await desk.operator.worklog(run, task);
  if (parsed.values.json) return printed(io, { items: entries, next: null });
  return lines(io, worklogLines(entries, task === null ? shortRun(run) : `${shortRun(run)} ${task}`, styleOf(io)));
});

/** Of the last try of the last attempt that Baton made. */
async function printedBy(desk: Desk, run: string, task: string, io: Io): Promise<number> {
  const { rows } = await desk.operator.board(run);
  const attempt = rows.find(({ task_id }) => task_id === task)?.attempts.findLast(({ run_id }) => run_id !== null);
  const of = attempt?.run_id;
  if (!of) throw new BatonError('USAGE', `nobody was asked for ${task || 'no task'} yet: name a task that was begun`);
  const tries = (await desk.store.run(of))?.handoffs ?? 1;
  for (let after = 0; ; ) {
    const { text, next } = await desk.readLog({ run: of, handoff: HANDOFF, attempt: tries }, after);
    if (text === '') return 0;
    io.out(printable(text));
    after = next;
  }
}

async function shown(desk: Desk, parsed: Parsed, io: Io, run: string, note?: string): Promise<number> {
  if (parsed.values.json) return printed(io, await desk.operator.object(run));
  const board = await desk.operator.board(run);
  lines(io, ledgerLines(board, { ...styleOf(io), all: parsed.values.all === true }));
  if (note !== undefined) io.err(`${note}\n`);
  return 0;
}

function printed(io: Io, value: object): number {
  io.out(`${printableJson(value)}\n`);
  return 0;
}

function lines(io: Io, text: readonly string[]): number {
  io.out(`${text.join('\n')}\n`);
  return 0;
}

const WIDTH_DEFAULT = 100;
const WIDTH_MIN = 60;

function styleOf({ env, terminal }: Io): ViewStyle {
  const columns = Number(env.COLUMNS);
  const width = Number.isInteger(columns) && columns > 0 ? Math.max(WIDTH_MIN, columns) : WIDTH_DEFAULT;
  return { width, colour: terminal.out, utf8: isUtf8(env) };
}

function by({ env }: Io): { actor: string } {
  return { actor: env.USER ?? 'cli' };
}

const taskOf = ({ positionals }: Parsed): string => positionals[1] ?? '';

function ownerOf(parsed: Parsed, { env }: Io): string {
  const owner = textOption(parsed, 'owner') ?? env.USER;
  if (owner === undefined || owner.trim() === '') throw new BatonError('USAGE', 'who works on it? Say --owner NAME');
  return owner;
}

function epochOf(parsed: Parsed): number | null {
  return countOption(parsed, 'epoch', { min: 1, max: EPOCH_MAX }) ?? null;
}

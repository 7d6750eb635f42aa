/**
 * Starts a process that is recorded before it runs and ended with everything it started.
 *
 * G1. The command runs only after its row is durable, which only the owner of the run can write. Until then the child
 *     waits on a pipe; when Baton dies the pipe closes and the child exits without having run anything.
 * G2. `ended` resolves only when nothing of the spawn runs any more, whether it exited by itself or was aborted; what
 *     could not be ended is listed. Of a command that is known to stay in its group, the group alone is looked at.
 * G3. The row goes after the processes, and stays when one of them does.
 * G4. Output never blocks the child and never takes more memory than its cap.
 */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { ProcessRow } from '../engine/ports.js';
import type { CappedOutput } from './capped-output.js';
import { type Ended, endMembers, GRACE_MS_DEFAULT } from './end-tree.js';
import { findProgram } from './find-program.js';
import type { Gate } from './process-rows.js';
import { processSource } from './process-source.js';
import { ProcessTree } from './process-tree.js';
import { watchTree } from './tree-watch.js';
import { type Exit, WaitingChild } from './waiting-child.js';

export type SpawnLimits = {
  /** Of stdout and of stderr each. */
  outputBytesMax: number;
  /** Between SIGTERM and SIGKILL. */
  graceMs: number;
};
const SPAWN_LIMITS: SpawnLimits = { outputBytesMax: 1024 * 1024, graceMs: GRACE_MS_DEFAULT };

export type SpawnRequest = {
  gate: Gate;
  run: string;
  /** Under which it is owned. */
  epoch: number;
  handoff: string;
  attempt: number;
  argv: readonly string[];
  cwd: string;
  /** All the command gets besides BATON_*; nothing of Baton's own environment. Names no shell can carry are left out. */
  env: Readonly<Record<string, string>>;
  workspace?: string;
  /** What it reads, or `open` for a stream to write to; nothing otherwise. */
  stdin?: { text: string | Uint8Array } | 'open';
  /** stderr into stdout, in the order it was written. */
  merge?: boolean;
  signal: AbortSignal;
  limits?: Partial<SpawnLimits>;
  /** It starts nobody who leaves its group: when it has exited and its group is empty, nobody else is looked for. */
  staysInGroup?: boolean;
};

type NotRun =
  | { type: 'not-found'; exitCode: 126 | 127; reason: string }
  | { type: 'not-started'; reason: string }
  | { type: 'aborted' };
export type Spawned = NotRun | { type: 'started'; process: GatedProcess };

export type GatedProcess = {
  pid: number;
  /** Only with stdin: 'open'. */
  stdin: Writable | null;
  stdout: CappedOutput;
  stderr: CappedOutput;
  ended: Promise<SpawnEnd>;
};

/** `ended` are the processes that had to be ended; `rowKept` when one remains or the table failed. */
export type SpawnEnd = Exit & Ended & { aborted: boolean; rowKept: boolean };

/** Rejects only when the table does, or when scope, run or handoff cannot be part of a marker. */
export async function spawnGated(request: SpawnRequest): Promise<Spawned> {
  const { gate, run, epoch, handoff, attempt, argv, cwd, env, workspace, stdin, merge = false, signal } = request;
  const { staysInGroup = false } = request;
  const limits = { ...SPAWN_LIMITS, ...request.limits };
  if (signal.aborted) return { type: 'aborted' };
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return { type: 'not-started', reason: `there is no folder ${cwd}` };
  }
  const [name = '', ...args] = argv;
  const program = findProgram(name, { cwd, PATH: env.PATH });
  if ('reason' in program) return { type: 'not-found', ...program };

  const marker = { scope: gate.scope, run, handoff, attempt, spawn: randomUUID() };
  const { outputBytesMax, graceMs } = limits;
  const child = await WaitingChild.start({
    ...program,
    args,
    marker,
    cwd,
    env,
    workspace,
    stdin,
    merge,
    outputBytesMax,
  });
  if ('reason' in child) return { type: 'not-started', ...child };

  const { pid, started } = child.info;
  const tree = new ProcessTree(marker, [child.info]);
  const pidNamespace = processSource.namespaceOf(pid);
  const row: ProcessRow = { run, handoff, attempt, worker: gate.worker, pid, started, pidNamespace };
  const abort = abortOf(signal);
  const unwatch = watchTree(tree);
  const forget = (): void => {
    abort.forget();
    unwatch();
  };

  let refused: Refused | undefined;
  try {
    refused = await recordRow(gate, row, epoch, child, abort.promise);
  } catch (problem) {
    await giveUp(child, tree).finally(forget);
    throw problem;
  }
  if (refused) {
    await giveUp(child, tree).finally(forget);
    await refused.rowTakenBack;
    return refused.refusal;
  }
  child.release();
  const ended = finish({ gate, row, child, tree, graceMs, staysInGroup, abort: abort.promise }).finally(forget);
  ended.catch(() => {}); // whoever waits for it sees the failure; nobody waiting must not end this process
  const { stdout, stderr } = child;
  return { type: 'started', process: { pid, stdin: stdin === 'open' ? child.stdin : null, stdout, stderr, ended } };
}

type Refused = { refusal: NotRun; rowTakenBack: Promise<void> };

/** Undefined once the row is durable and the child still waits. */
async function recordRow(
  { table }: Gate,
  row: ProcessRow,
  epoch: number,
  { exit }: WaitingChild,
  aborted: Promise<'aborted'>,
): Promise<Refused | undefined> {
  const added = table.add(row, epoch).then((isOwner) => (isOwner ? 'added' : 'aborted'));
  const first = await Promise.race([aborted, exit, added]);
  if (first === 'added') return undefined;
  // The row may still be on its way to the disk. One that stays all the same is seen to be of a dead process.
  const rowTakenBack = added.then(() => table.remove(row)).catch(() => {});
  if (first === 'aborted') return { refusal: { type: 'aborted' }, rowTakenBack };
  const reason = `it was ended before it could run (${first.signal ?? first.exitCode})`;
  return { refusal: { type: 'not-started', reason }, rowTakenBack };
}

async function giveUp(child: WaitingChild, tree: ProcessTree): Promise<void> {
  child.closeGate();
  await endMembers(tree, { graceMs: 0 });
  await child.collected();
}

type Running = {
  gate: Gate;
  row: ProcessRow;
  child: WaitingChild;
  tree: ProcessTree;
  graceMs: number;
  staysInGroup: boolean;
  abort: Promise<'aborted'>;
};

async function finish({ gate, row, child, tree, graceMs, staysInGroup, abort }: Running): Promise<SpawnEnd> {
  await Promise.race([child.exit, abort]);
  const aborted = !child.hasExited;
  const isGone = staysInGroup && !aborted && isEmptyGroup(row.pid);
  const { ended, remaining } = isGone ? { ended: [], remaining: [] } : await endMembers(tree, { graceMs });
  const how = await child.collected();
  const removed = remaining.length === 0 && (await gate.table.remove(row).then(yes, no));
  return { ...how, aborted, ended, remaining, rowKept: !removed };
}

/** A process that waits behind the gate leads a group of its own. */
function isEmptyGroup(group: number): boolean {
  try {
    process.kill(-group, 0);
    return false;
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function abortOf(signal: AbortSignal): { promise: Promise<'aborted'>; forget: () => void } {
  let tell = (): void => {};
  const promise = new Promise<'aborted'>((resolve) => {
    tell = () => resolve('aborted');
  });
  signal.addEventListener('abort', tell);
  if (signal.aborted) tell();
  return { promise, forget: () => signal.removeEventListener('abort', tell) };
}

const yes = (): boolean => true;
const no = (): boolean => false;

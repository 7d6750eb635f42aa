/**
 * Starts a process that is recorded before it runs and ended with everything it started.
 *
 * G1. The command runs only after its row is durable, which only the owner of the run can write. Until then the child
 *     waits on a pipe; when Baton dies the pipe closes and the child exits without having run anything.
 * G2. `ended` resolves only when nothing of the spawn runs any more, whether it exited by itself or was aborted; what
 *     could not be ended is listed. Of a command that is known to stay in its group, the group alone is looked at.
 * G3. The row goes after the processes, and stays when one of them does.
 * G4. In a sandbox the gate is inside: what opens it has seen that the sandbox is as it was ordered.
 * G5. Output never blocks the child and never takes more memory than its cap.
 */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { ProcessRow } from '../engine/ports.js';
import type { CappedOutput } from './capped-output.js';
import { type Ended, endMembers, GRACE_MS_DEFAULT } from './end-tree.js';
import { findProgram } from './find-program.js';
import { GATE_DESCRIPTOR } from './gate-command.js';
import type { Gate } from './process-rows.js';
import { type ProcessInfo, processSource } from './process-source.js';
import { ProcessTree } from './process-tree.js';
import type { Confined, Wrapped } from './sandbox.js';
import { watchTree } from './tree-watch.js';
import { unconfined } from './unconfined.js';
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
  /** The folder was judged by this very path, without links: nothing runs where it leads elsewhere by then. */
  isExact?: boolean;
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
  /** With the rights of this process when there is none. */
  confined?: Confined | undefined;
  /** Of this process; the command has them as 4, 5, … */
  descriptors?: readonly number[];
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
  const { argv, cwd, env, signal, confined, descriptors = [] } = request;
  if (signal.aborted) return { type: 'aborted' };
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return { type: 'not-started', reason: `there is no folder ${cwd}` };
  }
  const [name = '', ...args] = argv;
  const program = findProgram(name, { cwd, PATH: env.PATH });
  if ('reason' in program) return { type: 'not-found', ...program };

  const wrapped = confined ? wrapIn(confined, request) : unconfined(env);
  if ('reason' in wrapped) return { type: 'not-started', ...wrapped };
  let isRunning = false;
  try {
    const file = request.isExact ? fileIn(name, program.file) : program.file;
    const spawned = await startWrapped({ ...request, file, args, descriptors }, wrapped);
    if (spawned.type === 'started') {
      isRunning = true;
      spawned.process.ended.finally(() => wrapped.tidy()).catch(() => {});
    }
    return spawned;
  } finally {
    if (!isRunning) wrapped.tidy();
  }
}

/** What is named from the folder is found from the folder, and not by the way there. */
function fileIn(name: string, file: string): string {
  return name.includes('/') && !path.isAbsolute(name) ? `./${name}` : file;
}

function wrapIn({ sandbox, confinement }: Confined, { cwd, env, descriptors = [] }: SpawnRequest) {
  return sandbox.wrap({ cwd, env, confinement, descriptor: GATE_DESCRIPTOR + 1 + descriptors.length });
}

type StartRequest = SpawnRequest & { file: string; args: readonly string[]; descriptors: readonly number[] };

async function startWrapped(request: StartRequest, wrapped: Wrapped): Promise<Spawned> {
  const { gate, run, epoch, handoff, attempt, stdin, merge = false, staysInGroup = false } = request;
  const { outputBytesMax, graceMs } = { ...SPAWN_LIMITS, ...request.limits };
  const { file, args, cwd, isExact = false, workspace, descriptors } = request;
  const marker = { scope: gate.scope, run, handoff, attempt, spawn: randomUUID() };
  const how = { file, args, cwd, isExact, workspace, stdin, merge, outputBytesMax, descriptors };
  const child = await WaitingChild.start({ ...how, marker, wrapped });
  if ('reason' in child) return { type: 'not-started', ...child };

  const { pid, started } = child.info;
  const tree = new ProcessTree(marker, [child.info]);
  const pidNamespace = processSource.namespaceOf(pid);
  const row: ProcessRow = { run, handoff, attempt, worker: gate.worker, pid, started, pidNamespace };
  const abort = abortOf(request.signal);
  const unwatch = watchTree(tree);
  const forget = (): void => {
    abort.forget();
    unwatch();
  };

  let leave: LetGo;
  try {
    leave = await letGo(gate, { row, epoch, child, wrapped, aborted: abort.promise });
  } catch (problem) {
    await giveUp(child, tree).finally(forget);
    throw problem;
  }
  if ('refusal' in leave) {
    await giveUp(child, tree).finally(forget);
    await leave.rowTakenBack;
    return leave.refusal;
  }
  child.release();
  const { init } = leave;
  const ended = finish({ gate, row, child, tree, graceMs, staysInGroup, init, abort: abort.promise }).finally(forget);
  ended.catch(() => {}); // whoever waits for it sees the failure; nobody waiting must not end this process
  const { stdout, stderr } = child;
  return { type: 'started', process: { pid, stdin: stdin === 'open' ? child.stdin : null, stdout, stderr, ended } };
}

type Refused = { refusal: NotRun; rowTakenBack: Promise<void> };
/** `init` is the first process of the namespace with which the kernel ends all others in it. */
type LetGo = Refused | { init: ProcessInfo | undefined };

type Waiting = {
  row: ProcessRow;
  epoch: number;
  child: WaitingChild;
  wrapped: Wrapped;
  aborted: Promise<'aborted'>;
};

/** Not refused once the row is durable, the sandbox is as ordered and the child still waits. */
async function letGo({ table }: Gate, { row, epoch, child, wrapped, aborted }: Waiting): Promise<LetGo> {
  const confinement = confinedChild(child, wrapped); // while the row is on its way to the disk
  const added = table.add(row, epoch).then((isOwner) => (isOwner ? 'added' : 'aborted'));
  const first = await Promise.race([aborted, child.exit, added]);
  const second = first === 'added' ? await Promise.race([aborted, child.exit, confinement]) : first;
  if (typeof second === 'object' && 'init' in second) return second;
  // The row may still be on its way to the disk. One that stays all the same is seen to be of a dead process.
  const rowTakenBack = added.then(() => table.remove(row)).catch(() => {});
  if (typeof second === 'string') return { refusal: { type: 'aborted' }, rowTakenBack };
  return { refusal: { type: 'not-started', reason: await whyNotStarted(second, child) }, rowTakenBack };
}

/** A sandbox that is not there by then will not be. */
const CONFINED_MS_MAX = 20_000;

async function confinedChild(child: WaitingChild, wrapped: Wrapped): Promise<{ init: ProcessInfo | undefined } | Why> {
  const isReady = await Promise.race([child.ready.then(yes), later(CONFINED_MS_MAX)]);
  if (!isReady) return { reason: 'the sandbox was not ready in time' };
  const seen = await wrapped.inspect(child.info.pid).catch((problem) => ({ reason: String(problem) }));
  if ('reason' in seen) return seen;
  return { init: seen.init === undefined ? undefined : processSource.find(seen.init) };
}

type Why = { reason: string };

async function whyNotStarted(how: Exit | Why, child: WaitingChild): Promise<string> {
  if ('reason' in how) return how.reason;
  await child.collected();
  const said = child.stderr.text().trim().slice(0, SAID_LENGTH_MAX);
  return `it was ended before it could run (${[how.signal ?? how.exitCode, said].filter(Boolean).join(': ')})`;
}

const SAID_LENGTH_MAX = 500;

function later(delayMs: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), delayMs).unref());
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
  init: ProcessInfo | undefined;
  abort: Promise<'aborted'>;
};

async function finish({ gate, row, child, tree, graceMs, staysInGroup, init, abort }: Running): Promise<SpawnEnd> {
  await Promise.race([child.exit, abort]);
  const aborted = !child.hasExited;
  const isGone = !aborted && (init ? await isGoneSoon(init) : staysInGroup && isEmptyGroup(row.pid));
  const { ended, remaining } = isGone ? { ended: [], remaining: [] } : await endMembers(tree, { graceMs });
  const how = await child.collected();
  const removed = remaining.length === 0 && (await gate.table.remove(row).then(yes, no));
  return { ...how, aborted, ended, remaining, rowKept: !removed };
}

const GONE_LOOKS_MAX = 110;
/** It often takes less than a millisecond, which no timer can wait for. */
const HASTY_LOOKS = 10;

/** The kernel ends a namespace's first process last: when it is gone, so is everybody who was in there. */
async function isGoneSoon({ pid, started }: ProcessInfo): Promise<boolean> {
  for (let looks = 0; looks < GONE_LOOKS_MAX; looks += 1) {
    const now = processSource.find(pid);
    if (!now || now.zombie || now.started !== started) return true;
    await new Promise((resolve) => (looks < HASTY_LOOKS ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
  return false;
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

import { realpath } from 'node:fs/promises';
import { constants } from 'node:os';
import type { DeedFacts } from '../core/session/session-effects.js';
import { writablePlaces } from '../core/session/writable-places.js';
import type { Held } from '../engine/ports.js';
import { privateHome } from '../sandbox/private-home.js';
import type { Confined } from '../sandbox/sandbox.js';
import { type GatedProcess, type Spawned, spawnGated } from '../sandbox/spawn-gated.js';
import { environmentSecrets } from '../system/environment-secrets.js';
import { Aborted } from '../workspace/run-gated.js';
import { boundedText } from './bounded-text.js';
import type { ExecPlan } from './call-plan.js';
import { LiveOutput, newRoom } from './live-output.js';
import { looksDenied } from './looks-denied.js';
import { endOf, type HeldCommand, type SessionHands } from './session-hands.js';

const KEPT_BYTES_MAX = 1024 * 1024;
/** A deed is never done a second time under its name. */
const ATTEMPT = 1;
export const NOT_STARTED = 126;
const TIMED_OUT = 124;
const BY_SIGNAL = 128;

type Ran = {
  exitCode: number;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  droppedBytes: number;
  /** Said to the model besides. */
  note?: string;
};
type Asked = { held: Held; facts: DeedFacts; signal: AbortSignal };

/** Runs a command as it was judged. Rejects only when it was called off, or before anything of it has run. */
export async function doExec(hands: SessionHands, plan: ExecPlan, asked: Asked) {
  const { facts, held } = asked;
  const begunMs = hands.clock.monotonicMs();
  const place = await placeOf(hands, plan, facts);
  try {
    const ran = 'reason' in place ? notStarted(place.reason) : await run(hands, plan, asked, place);
    const activeMs = Math.round(hands.clock.monotonicMs() - begunMs);
    const isHeld = 'confined' in place && place.confined !== undefined;
    return endOf(hands, {
      said: saidOf(ran, activeMs),
      output: outputOf(ran, plan),
      success: ran.exitCode === 0,
      isDenied: isHeld && !ran.timedOut && looksDenied(ran, facts.policy.sandbox),
      activeMs,
    });
  } finally {
    hands.live.close(held.run, facts.call);
    // It has run: what is not tidied up must not make it run again.
    if ('end' in place) await place.end?.().catch(() => {});
  }
}

type Room = Partial<Omit<HeldCommand, 'confined'>> & { confined: Confined | undefined };
type Place = Room | { reason: string };

async function placeOf(
  { confinements, log }: SessionHands,
  plan: ExecPlan,
  { policy, where }: DeedFacts,
): Promise<Place> {
  const { cwd, sandbox } = policy;
  const { mode, networkAccess, hosts } = sandbox;
  // What was shown is the folder without links; whatever lies there now in its place was not. It may be put there a
  // moment later: the command itself looks again (isExact).
  if ((await realpath(plan.cwd).catch(() => undefined)) !== plan.cwd) {
    return { reason: `${plan.cwd} is not the folder any more that it was judged for` };
  }
  if (where === 'outside' || mode === 'danger-full-access') return { confined: undefined };
  const held = await confinements.session({
    ...{ cwd, mayWrite: mode === 'workspace-write', places: writablePlaces(policy), networkAccess, hosts },
  });
  if (held && 'isWhole' in held && !held.isWhole) {
    log('warn', 'the folder is too large to guard what repositories far below it run', { cwd });
  }
  if (held) return held;
  return plan.confined ? { reason: 'no sandbox holds here any more' } : { confined: undefined };
}

async function run(hands: SessionHands, plan: ExecPlan, asked: Asked, place: Room): Promise<Ran> {
  const { held, facts, signal } = asked;
  const { confined, env } = place;
  const { handoff, attempt } = hands.marker ?? { handoff: facts.call, attempt: ATTEMPT };
  const tooLong = new AbortController();
  const forget = hands.clock.after(plan.timeoutMs, () => tooLong.abort());
  try {
    const spawned = await spawnGated({
      ...{ gate: hands.gate, ...held, handoff, attempt, argv: plan.argv, cwd: plan.cwd, isExact: true, confined },
      env: { ...environmentOf(hands, confined !== undefined), ...env },
      signal: AbortSignal.any([signal, tooLong.signal]),
      limits: { outputBytesMax: KEPT_BYTES_MAX },
    });
    if (spawned.type === 'started') return await watch(hands, spawned.process, asked);
    return notRun(spawned, tooLong.signal.aborted && !signal.aborted);
  } finally {
    forget();
  }
}

function notRun(spawned: Exclude<Spawned, { type: 'started' }>, isLate: boolean): Ran {
  switch (spawned.type) {
    case 'aborted':
      if (!isLate) throw new Aborted('the command was not run');
      return { ...notStarted('its time was up before it could begin'), timedOut: true };
    case 'not-found':
      return { ...notStarted(spawned.reason), exitCode: spawned.exitCode };
    case 'not-started':
      return notStarted(spawned.reason);
  }
}

function notStarted(reason: string): Ran {
  return { exitCode: NOT_STARTED, stdout: '', stderr: reason, timedOut: false, droppedBytes: 0 };
}

/** From here on the command has run: whatever happens is its end. */
async function watch({ live, scrub }: SessionHands, process: GatedProcess, { held, facts, signal }: Asked) {
  const { stdout, stderr, ended } = process;
  const room = newRoom();
  const streams = (['stdout', 'stderr'] as const).map((type) => {
    const say = (text: string): void => live.tell({ run: held.run, id: facts.task, item: facts.call, type, text });
    const output = new LiveOutput({ say, scrub, room });
    process[type].onChunk((chunk) => output.take(chunk));
    return output;
  });
  const end = await ended.catch((problem: Error) => ({ problem: problem.message }));
  for (const stream of streams) stream.end();
  if (signal.aborted) throw new Aborted('the command was ended');
  const [out, err] = [stdout.cleanText(scrub), stderr.cleanText(scrub)];
  const printed = { stdout: out.text, stderr: err.text, droppedBytes: out.droppedBytes + err.droppedBytes };
  if ('problem' in end) {
    return { ...printed, exitCode: NOT_STARTED, timedOut: false, note: `its end was not seen: ${end.problem}` };
  }
  const { aborted: timedOut, remaining } = end;
  const exitCode = timedOut ? TIMED_OUT : (end.exitCode ?? BY_SIGNAL + numberOf(end.signal));
  const note = remaining.length > 0 ? `${remaining.length} processes that it started could not be ended` : undefined;
  return { ...printed, exitCode, timedOut, ...(note !== undefined && { note }) };
}

function numberOf(signal: string | null): number {
  return signal === null ? 0 : (constants.signals[signal as NodeJS.Signals] ?? 0);
}

function saidOf({ stdout, stderr, exitCode, timedOut, droppedBytes, note }: Ran, durationMs: number): object {
  return {
    ...{ stdout, stderr: [stderr, note].filter(Boolean).join('\n'), exit_code: exitCode, duration_ms: durationMs },
    ...(timedOut && { timed_out: true }),
    ...(droppedBytes > 0 && { truncated_bytes: droppedBytes }),
  };
}

function outputOf({ stdout, stderr, exitCode, timedOut, note }: Ran, { timeoutMs }: ExecPlan): string {
  const late = timedOut ? ` (ended after ${timeoutMs} ms, with everything it had started)` : '';
  const parts = [stdout, stderr === '' ? '' : `[stderr]\n${stderr}`].filter((part) => part !== '');
  return boundedText([`exit code ${exitCode}${late}`, ...(note ? [note] : []), ...parts].join('\n'));
}

/** Nothing of Baton's own, and nothing whose name or value says that it is secret: all output goes to a provider. */
function environmentOf({ environment }: SessionHands, isHeld: boolean): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || name.startsWith('BATON_')) continue;
    if (environmentSecrets({ [name]: value }).length === 0) env[name] = value;
  }
  return isHeld ? { ...env, HOME: privateHome() } : env;
}

import type { CallKind } from './session-messages.js';
import type { CallDeed, CallStage, LiveSession, SessionTask } from './session-state.js';

const AT_ONCE_MAX = 8;

/** How far a call has come, and what it does once that is judged. */
export type StandingCall = { stage: CallStage['name']; deed: CallDeed | null };
type Standing = ReadonlyMap<string, StandingCall>;

/** Which of the calls that are ready may begin now; undefined when none may. */
export function nextToBegin(calls: Standing): string | undefined {
  for (const [id, { stage, deed }] of calls) {
    if (stage === 'ready' && deed && mayBegin(calls, id, deed.kind)) return id;
  }
  return undefined;
}

/** A patch changes what others read: it is done alone, after those that the model named before it. */
function mayBegin(calls: Standing, id: string, kind: CallKind): boolean {
  let running = 0;
  let isBefore = true;
  for (const [other, { stage, deed }] of calls) {
    if (other === id) isBefore = false;
    else if (stage === 'running') running += 1;
    if (other === id || stage === 'ended') continue;
    const isPatch = kind === 'patch' || deed?.kind === 'patch';
    if (isPatch && (isBefore || stage === 'running')) return false;
  }
  return running < AT_ONCE_MAX;
}

export function standingCalls({ calls }: SessionTask): Map<string, StandingCall> {
  return new Map([...calls].map(([id, { stage, deed }]) => [id, { stage: stage.name, deed }]));
}

/** Whether a person is waited for and nothing else: what is ready stands behind the question. */
export function isWaiting({ task }: LiveSession): boolean {
  if (task?.stage.name !== 'working') return false;
  const calls = standingCalls(task);
  const stages = new Set([...calls.values()].map(({ stage }) => stage));
  return stages.has('waiting') && !stages.has('running') && nextToBegin(calls) === undefined;
}

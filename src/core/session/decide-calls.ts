import { type Decision, refuse } from '../kernel/decider.js';
import { NO_USAGE } from '../kernel/effect.js';
import { CallDraft, type DeedJudgement } from './call-draft.js';
import { interrupted, turnOver } from './end-task.js';
import { type CallRuling, ruleOnCall } from './rule-on-call.js';
import type {
  CallEnd,
  CallJudgement,
  CallKind,
  JudgedCall,
  SessionCommand,
  SessionEvent,
  SessionOrder,
  Told,
} from './session-messages.js';
import { type Call, callNumber, type LiveSession, type SessionTask } from './session-state.js';

type Result = Decision<SessionEvent>;

/** What is known about the calls now: some begin, some are asked for, some are answered at once. */
export function callsJudged(
  session: LiveSession,
  task: SessionTask,
  atMs: number,
  judgements: readonly CallJudgement[],
): Result {
  const draft = new CallDraft(session, task, atMs);
  const judged = judgements.filter(({ callId }) => task.calls.has(callId));
  const rulings = new Map(
    judged.flatMap((one) => (one.type === 'deed' ? [[one.callId, rulingOf(session, one)] as const] : [])),
  );
  draft.say({ type: 'CallsJudged', at: atMs, judgements: judged.map((one) => judgedCall(session, one, rulings)) });
  for (const judgement of judged) {
    draft.judged(judgedCall(session, judgement, rulings));
    if (judgement.type === 'answer') {
      if (judgement.plan) draft.say({ type: 'PlanUpdated', call: judgement.callId, plan: judgement.plan });
      draft.answer(judgement.callId, judgement.output, judgement);
      continue;
    }
    const ruling = rulings.get(judgement.callId);
    if (ruling?.ruling === 'begin') draft.ready(judgement.callId, true);
    if (ruling?.ruling === 'ask') draft.ask(judgement.callId, ruling.reason, null);
    if (ruling?.ruling === 'refuse') {
      const note = { words: `${judgement.title}: not done: ${ruling.reason}`, success: false };
      draft.answer(judgement.callId, { words: `Not done: ${ruling.reason}.` }, { note });
    }
  }
  for (const { id } of task.calls.values()) {
    if (!judged.some(({ callId }) => callId === id)) draft.answer(id, { words: 'Not done: it could not be judged.' });
  }
  return goOn(session, task, draft, atMs);
}

/** What a person has allowed for the whole session needs no further answer, and no failure inside of the sandbox first. */
function rulingOf({ order, approved }: LiveSession, { kind, facts, hashes }: DeedJudgement): CallRuling {
  const ruling = ruleOnCall(order, kind, facts);
  if (ruling.ruling === 'ask' && approved.has(hashes[ruling.where])) return { ruling: 'begin', where: ruling.where };
  const isAllowedOutside = ruling.ruling === 'begin' && mayLeave(order, kind) && approved.has(hashes.outside);
  return isAllowedOutside ? { ruling: 'begin', where: 'outside' } : ruling;
}

function mayLeave({ approval }: SessionOrder, kind: CallKind): boolean {
  return approval === 'on-failure' && kind === 'exec';
}

function judgedCall(
  { order }: LiveSession,
  judgement: CallJudgement,
  rulings: ReadonlyMap<string, CallRuling>,
): JudgedCall {
  if (judgement.type === 'answer') return { call: judgement.callId, type: 'answer' };
  const { callId: call, kind, plan, shown, hashes, title } = judgement;
  const ruling = rulings.get(call);
  const where = ruling && 'where' in ruling ? ruling.where : 'inside';
  const outside = mayLeave(order, kind) && where === 'inside' ? hashes.outside : null;
  return { call, type: 'deed', kind, plan, shown, hash: hashes[where], title, where, outside };
}

/** A person has decided about one call. */
export function approve(session: LiveSession, command: Extract<SessionCommand, { type: 'Approve' }>): Result {
  const { callId, kind, decision, by, atMs, guidance } = command;
  const { task } = session;
  const call = task?.calls.get(callId);
  if (!task || !call?.deed || call.stage.name !== 'waiting') return notWaiting(session, callId);
  const wanted = call.deed.kind === 'patch' ? 'patch' : 'exec';
  if (kind !== wanted) {
    const reason = `${callId} waits for ${wanted}_approval, not for ${kind}_approval`;
    return refuse('APPROVAL_NOT_FOUND', reason, { call_id: callId });
  }
  const draft = new CallDraft(session, task, atMs);
  const words = decision === 'denied' && guidance !== null ? { guidance } : {};
  draft.say({ type: 'ApprovalResolved', call: callId, decision, by, ...words });
  switch (decision) {
    case 'approved':
    case 'approved_for_session':
      draft.ready(callId, false);
      return { events: draft.events };
    case 'denied':
      draft.answer(callId, denied(call.stage.fallback, guidance));
      return orTurnOver(session, task, draft, { atMs });
    case 'abort':
      return { events: [...draft.events, ...interrupted(session, command, callId)] };
  }
}

/** `failed`: what came of it inside of the sandbox, when it was to be tried outside. */
function denied(failed: Told | null, guidance: string | null): Told {
  const more = guidance === null ? '' : ` They say: ${guidance}`;
  if (failed === null) return { words: `The user does not want this done.${more}` };
  const after = `The user does not want it tried outside of the sandbox.${more}`;
  return 'words' in failed ? { words: `${failed.words} ${after}` } : { ...failed, after };
}

function notWaiting({ calls }: LiveSession, callId: string): Result {
  const number = callNumber(callId);
  const details = { call_id: callId };
  if (number === undefined || number > calls) {
    return refuse('APPROVAL_NOT_FOUND', `nothing called ${callId} was asked for in this session`, details);
  }
  return refuse('APPROVAL_CLOSED', `${callId} is not waiting for an answer, or not any more`, details);
}

/** A call has come to its end. */
export function callEnded(session: LiveSession, task: SessionTask, call: Call, end: CallEnd, atMs: number): Result {
  const { deed } = call;
  if (!deed) return { events: [] };
  const draft = new CallDraft(session, task, atMs);
  draft.say({ type: 'CallEnded', call: call.id, kind: deed.kind, end });
  if (end.isDenied && deed.outside !== null && deed.where === 'inside') {
    draft.askAgain(call.id, 'it failed inside of the sandbox', 'denied');
  } else draft.ended(call.id);
  return goOn(session, task, draft, atMs, end.activeMs);
}

/** Whoever ran it has died. It is not run again by itself; a patch is: it is done once however often it is begun. */
export function callLost(session: LiveSession, task: SessionTask, call: Call, atMs: number): Result {
  const { deed } = call;
  if (!deed || deed.kind === 'patch') return { events: [] };
  const draft = new CallDraft(session, task, atMs);
  draft.say({ type: 'CallLost', call: call.id, kind: deed.kind, why: 'unknown' });
  if (deed.auto) draft.ended(call.id);
  else draft.askAgain(call.id, 'it had begun when the process died, and what came of it is not known', 'unknown');
  return goOn(session, task, draft, atMs);
}

/** It was done, and what came of it cannot be kept: never done again by itself, or it would end so for ever. */
export function callUnkept(session: LiveSession, task: SessionTask, call: Call, atMs: number): Result {
  const { deed } = call;
  if (!deed) return { events: [] };
  const draft = new CallDraft(session, task, atMs);
  draft.say({ type: 'CallLost', call: call.id, kind: deed.kind, why: 'unknown' });
  draft.ended(call.id);
  return goOn(session, task, draft, atMs);
}

/** Something that was ready may begin. */
export function callsReady(session: LiveSession, task: SessionTask, atMs: number): Result {
  return goOn(session, task, new CallDraft(session, task, atMs), atMs);
}

/**
 * Only for what the owner says. Begun by anybody else's command, a call would be taken for one that the owner has begun,
 * and for lost when that owner is dead.
 */
function goOn(session: LiveSession, task: SessionTask, draft: CallDraft, atMs: number, activeMs = 0): Result {
  draft.begin();
  return orTurnOver(session, task, draft, { atMs, activeMs });
}

function orTurnOver(
  session: LiveSession,
  task: SessionTask,
  draft: CallDraft,
  { atMs, activeMs = 0 }: { atMs: number; activeMs?: number },
): Result {
  if (!draft.isOver) return { events: draft.events };
  const over = turnOver(session, task, { atMs, hasOutput: true, usage: NO_USAGE, activeMs });
  return { events: [...draft.events, ...over] };
}

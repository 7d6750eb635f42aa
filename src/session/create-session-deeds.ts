import { type DeedFacts, DO_DEED, JUDGE_DEED, type JudgeFacts, SETTLE_DEED } from '../core/session/session-effects.js';
import type { Deeds, Held } from '../engine/ports.js';
import { type CallPlan, callHash } from './call-plan.js';
import { doExec, NOT_STARTED } from './do-exec.js';
import { doPatch, settlePatch } from './do-patch.js';
import { judgeCalls } from './judge-calls.js';
import { doMcp } from './mcp/do-mcp.js';
import { endOf, readBody, type SessionHands } from './session-hands.js';
import { movedPlace } from './session-places.js';

const DOING: readonly string[] = Object.values(DO_DEED);

/** What a session asks to be done: judging the calls of a response, and doing one of them. */
export function createSessionDeeds(hands: SessionHands): Deeds {
  return {
    async perform(held, { deed, input }, signal) {
      if (deed === JUDGE_DEED) return judgeCalls(hands, held, input as JudgeFacts, signal);
      if (deed === SETTLE_DEED) return settlePatch(hands, input as DeedFacts);
      if (DOING.includes(deed)) return doCall(hands, held, input as DeedFacts, signal);
      throw new Error(`there is no deed ${deed}`);
    },
  };
}

/** What was judged is what is done: another plan than the one that was allowed is not. */
async function doCall(hands: SessionHands, held: Held, facts: DeedFacts, signal: AbortSignal) {
  const plan = JSON.parse(await readBody(hands, facts.plan)) as CallPlan;
  if (plan.kind !== facts.kind || callHash(plan, facts.policy, facts.where) !== facts.hash) {
    return notDone(hands, facts, 'what would be done is not what was judged');
  }
  const moved = plan.kind === 'mcp' ? undefined : await movedPlace(facts.policy);
  if (moved !== undefined) return notDone(hands, facts, moved);
  const { msMax = Number.POSITIVE_INFINITY } = facts;
  switch (plan.kind) {
    case 'exec':
      return doExec(hands, { ...plan, timeoutMs: Math.min(plan.timeoutMs, msMax) }, { held, facts, signal });
    case 'patch':
      return doPatch(hands, plan, facts);
    case 'mcp':
      return doMcp(hands, plan, { held, msMax, signal });
  }
}

function notDone(hands: SessionHands, { kind }: DeedFacts, reason: string) {
  const said = SAID[kind](reason);
  return endOf(hands, { said, output: `Not done: ${reason}.`, success: false, isDenied: false, activeMs: 0 });
}

const SAID: Readonly<Record<DeedFacts['kind'], (reason: string) => object>> = {
  exec: (reason) => ({ stdout: '', stderr: reason, exit_code: NOT_STARTED, duration_ms: 0 }),
  patch: (reason) => ({ success: false, stdout: '', stderr: reason, files: [] }),
  mcp: (reason) => ({ success: false, result: { error: reason } }),
};

import { describe, expect, test } from 'vitest';
import { envelope as envelopeContract } from '../../src/contracts/envelope/envelope.js';
import { toStateDict } from '../../src/contracts/envelope/state-dict.js';
import { check } from '../../src/contracts/shared/contract.js';
import type { TerminalReason } from '../../src/core/envelope/standing.js';
import { DEFAULT, envelopeOf, GOOD, Played } from './stage-kit.js';

type Way = { requirement: string; terminated: boolean; reach(): Played };

const sentBack = (played: Played): Played =>
  played.well('plan', 'execution').say({ critic: { verdict: 'reintent', feedback: 'Again.' } });
const atPlan = (changes: object = {}, pipeline = DEFAULT): Played =>
  new Played(pipeline, envelopeOf(changes)).well('perception', 'intent');
const confirming = (): Played => {
  const played = atPlan().well('plan');
  return played.end(played.confirm('execution'));
};
const toolFailed = (ends: string, recoverable: boolean): Played => {
  const played = atPlan().well('plan');
  const errors = [{ error_type: 'ToolError', message: 'Code search failed: timeout', recoverable }];
  return played.end(played.output('execution', { status: 'error', results: [] }, { errors, ends, llmCalls: 0 }));
};

/** One way to each reason that the document names; without one it does not compile. */
const WAYS: Readonly<Record<TerminalReason, Way>> = {
  completed_successfully: {
    ...{ requirement: 'R277', terminated: true },
    reach: () => atPlan().well('plan', 'execution', 'critic', 'integration'),
  },
  clarification_required: {
    ...{ requirement: 'R278', terminated: false },
    reach: () => new Played().well('perception').say({ intent: { ...GOOD.intent, clarification_needed: true } }),
  },
  confirmation_required: { requirement: 'R279', terminated: false, reach: confirming },
  denied_by_policy: {
    ...{ requirement: 'R280', terminated: true },
    reach: () => {
      const played = confirming();
      played.send({ confirmation_response: false });
      return played;
    },
  },
  tool_failed_recoverably: {
    ...{ requirement: 'R281', terminated: true },
    reach: () => toolFailed('tool_failed_recoverably', true),
  },
  tool_failed_fatally: {
    ...{ requirement: 'R282', terminated: true },
    reach: () => toolFailed('tool_failed_fatally', false),
  },
  max_iterations_exceeded: {
    ...{ requirement: 'R283', terminated: true },
    reach: () => sentBack(sentBack(atPlan({ max_iterations: 1 })).well('intent')),
  },
  max_llm_calls_exceeded: {
    ...{ requirement: 'R284', terminated: true },
    reach: () => atPlan({ max_llm_calls: 3 }).well('plan'),
  },
  max_agent_hops_exceeded: {
    ...{ requirement: 'R285', terminated: true },
    reach: () => atPlan({ max_agent_hops: 3 }).well('plan'),
  },
  max_critic_fires_exceeded: {
    ...{ requirement: 'R286', terminated: true },
    reach: () => sentBack(atPlan({}, { ...DEFAULT, max_critic_fires: 0 })),
  },
};

describe('[R277] [R278] [R279] [R280] [R281] [R282] [R283] [R284] [R285] [R286] every terminal_reason is reached', () => {
  test.each(Object.entries(WAYS))('%s', (reason, { requirement, terminated, reach }) => {
    const played = reach();
    const written = toStateDict(played.envelope);
    expect(written).toMatchObject({ terminal_reason: reason, terminated });
    expect(check(envelopeContract, written)).toMatchObject({ allow: true });
    expect(played.due).toEqual([]);
    // With the reason in words, and the time, whenever nothing more is to come.
    expect([written.termination_reason !== null, written.completed_at !== null]).toEqual([terminated, terminated]);
    expect(written.goal_completion_status?.['find it'] === 'pending').toBe(!terminated);
    if (process.env.PRINT_ENVELOPES) console.log(requirement, JSON.stringify(written, null, 2));
  });
});

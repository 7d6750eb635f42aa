import type { Assignment } from '../../contracts/generated/types/assignment.js';
import type { Verdict } from '../../core/kernel/effect.js';
import { type BridgeAsk, bridgePrompt, isBridgeAsk } from '../bridge-prompt.js';
import { isStageRequest, type StageRequest, stagePrompt } from '../stage-prompt.js';
import { assignmentPrompt, RESULT_FORM } from './assignment-prompt.js';
import { objectOf } from './fields.js';
import { type PlanningRequest, planningPrompt } from './planning-prompt.js';

const FORM = [
  'When you are done, end with exactly one JSON object and nothing after it:',
  '{"action": "COMPLETED" | "RETRY" | "STUCK", "evidence_files": [paths of files that show it], "summary_for_supervisor": "at most 500 characters"}',
].join('\n');

/** What an agent with hands is told: who it is, what it is asked, and the form of its answer. */
export function promptOf(request: Uint8Array): string {
  const text = new TextDecoder().decode(request);
  const asked = objectOf(text);
  // Baton composed it, so it is what it says it is.
  if (asked.packet_type === 'assignment') return assignmentPrompt(asked as unknown as Assignment);
  if (asked.packet_type === 'planning') return planningPrompt(asked as unknown as PlanningRequest);
  if (isStageRequest(asked)) {
    const { rules, task } = stagePrompt(asked as unknown as StageRequest);
    return `${rules}\n\n${task}\n`;
  }
  if (isBridgeAsk(asked)) {
    const { rules, task } = bridgePrompt(asked as unknown as BridgeAsk);
    return `${rules}\n\n${task}\n`;
  }
  const { system_prompt: system, ...rest } = asked;
  if (typeof system !== 'string') return text;
  return `${system}\n\n${JSON.stringify(rest, null, 2)}\n\n${FORM}\n`;
}

/** For an agent that has forgotten, or never knew, what a person said to what it had asked for. */
export function withVerdict(prompt: string, verdict: Verdict | undefined): string {
  if (!verdict) return prompt;
  const { kind, what, decision, guidance } = verdict;
  if (kind === 'network')
    return `${prompt}\nYou wanted to reach ${what}, outside of the sandbox. ${networkWords(decision)} ${guidance ?? ''}\n`;
  const said = decision === 'approved' ? 'A person allows it: do exactly that now' : 'A person says no: do not do it';
  return `${prompt}\nYou asked whether you may: ${what}\n${said}. ${guidance ?? ''}\n`;
}

function networkWords(decision: Verdict['decision']): string {
  return decision === 'approved'
    ? 'A person allows it for this turn: run again what failed.'
    : 'A person says no: do without it.';
}

/**
 * What its answer is held to, where a service can do that. A plan has no form that such services take, the forms of
 * stages leave room for more than they name, and what an orchestrator asks has any form.
 */
export function formOf(request: Uint8Array): object | null {
  const asked = objectOf(new TextDecoder().decode(request));
  const { packet_type } = asked;
  if (packet_type === 'planning' || isStageRequest(asked) || isBridgeAsk(asked)) return null;
  return packet_type === 'assignment' ? RESULT_FORM : ANSWER_FORM;
}

/** The same, for services that hold a model to a form. */
const ANSWER_FORM = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['COMPLETED', 'RETRY', 'STUCK'] },
    evidence_files: { type: 'array', items: { type: 'string' } },
    summary_for_supervisor: { type: 'string' },
  },
  required: ['action', 'evidence_files', 'summary_for_supervisor'],
  additionalProperties: false,
} as const;

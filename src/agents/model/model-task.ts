import { readAnswer } from '../../contracts/job/read-answer.js';
import { isSupervisor } from '../../core/job/job-order.js';
import { recordOf } from '../../engine/session/model-items.js';
import { type BridgeAsk, bridgePrompt, isBridgeAsk } from '../bridge-prompt.js';
import { isStageRequest, type StageRequest, stagePrompt } from '../stage-prompt.js';
import type { Conversation } from './wires/wire.js';

/** What a request asks of a model, and what is wrong with an answer to it; null when nothing is. */
export type ModelTask = {
  conversation: Conversation;
  contract: 'agent-response' | null;
  /** It is a job's: work that can be done with hands. */
  job?: JobWork;
  /** The answer is any text. */
  isFree?: true;
  problemOf(text: string): string | null;
};

/** `input` is the request without what stands in the instructions. */
export type JobWork = { instructions: string; input: string; mayWrite: boolean };

const PLAIN = 'Answer with exactly one JSON object and nothing else: no text around it, no Markdown.';

export function modelTask(request: Uint8Array): ModelTask {
  const text = new TextDecoder().decode(request);
  const asked = objectIn(text);
  if (isStageRequest(asked)) {
    const { rules, task } = stagePrompt(asked as unknown as StageRequest);
    // Every answer counts as a call, and who asked has it repaired.
    return { conversation: { system: rules, turns: [task] }, contract: null, problemOf: () => null };
  }
  if (isBridgeAsk(asked)) {
    const { rules, task } = bridgePrompt(asked as unknown as BridgeAsk);
    return { conversation: { system: rules, turns: [task] }, contract: null, isFree: true, problemOf: () => null };
  }
  const { system_prompt: system, ...rest } = asked;
  if (typeof system !== 'string') {
    return { conversation: { system: PLAIN, turns: [text] }, contract: null, problemOf: notAnObject };
  }
  const input = JSON.stringify(rest);
  return {
    conversation: { system: `${system}\n\n${NO_HANDS}`, turns: [input] },
    job: { instructions: system, input, mayWrite: !isReview(rest) },
    contract: 'agent-response',
    problemOf: (said) => readAnswer(said, { exact: false }).fault?.reason ?? null,
  };
}

const NO_HANDS =
  'You cannot open files or run programs here: judge by the request alone, and say STUCK when that is not enough.';

/** Who judges changes nothing. */
function isReview({ metadata }: Record<string, unknown>): boolean {
  const { x_role: role } = recordOf(metadata);
  return typeof role === 'string' && isSupervisor({ role });
}

function notAnObject(text: string): string | null {
  return Object.keys(objectIn(text)).length > 0 ? null : 'the answer is not one JSON object';
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

import { getConfidence, isSuccess, reportedConfidence } from '../contracts/bridge/bridge-answer.js';
import { gateOf, judgeConfidence } from '../contracts/bridge/confidence-gate.js';
import type { BridgeResponse } from '../contracts/generated/types/bridge-response.js';
import type { Answer, Ask } from './bridge.js';
import type { AskFailure, ErrorType } from './bridge-failed.js';

type Judged<T> = { value: T; warning: string | null } | { failure: AskFailure };

/** Is the answer usable? What it says of itself is believed only after it could be read. */
export function judgeAnswer<T>(response: BridgeResponse, ask: Ask<T>): Judged<T> {
  if (!isSuccess(response)) {
    const { status, error_type = status === 'timeout' ? 'TIMEOUT' : 'UNKNOWN' } = response;
    return failed(response, ask, error_type, response.error_message ?? `the agent's answer is ${status}`);
  }
  const text = response.response ?? '';
  let value: T;
  try {
    value = ask.read ? ask.read(text) : (text as T);
  } catch (problem) {
    const error_type = problem instanceof SyntaxError ? 'PARSE_ERROR' : 'VALIDATION_ERROR';
    return failed(response, ask, error_type, problem instanceof Error ? problem.message : String(problem));
  }
  const { pass, warning } = judgeConfidence(reportedConfidence(response), ask.gate ?? gateOf(ask));
  return pass ? { value, warning } : failed(response, ask, 'VALIDATION_ERROR', warning ?? 'the answer is not sure');
}

function failed<T>(
  { request_id }: BridgeResponse,
  { phase, phase_name, agent_name }: Ask<T>,
  error_type: ErrorType,
  error_message: string,
): { failure: AskFailure } {
  return { failure: { error_type, error_message, request_id, agent_name, phase, phase_name } };
}

export function answerOf<T>(
  response: BridgeResponse,
  { value, source, warning, failure }: Pick<Answer<T>, 'value' | 'source' | 'warning'> & { failure?: AskFailure },
): Answer<T> {
  return {
    request_id: response.request_id,
    status: response.status,
    response: response.response ?? null,
    error_type: failure?.error_type ?? null,
    error_message: failure?.error_message ?? null,
    metadata: response.metadata ?? {},
    value,
    source,
    confidence: reportedConfidence(response),
    warning,
    isSuccess: () => isSuccess(response),
    getConfidence: () => getConfidence(response),
  };
}

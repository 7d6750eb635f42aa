import type { BridgeResponse } from '../generated/types/bridge-response.js';
import { answerObject } from './answer-object.js';

export function isSuccess({ status }: Pick<BridgeResponse, 'status'>): boolean {
  return status === 'success';
}

/** As the document has it: an answer that says nothing counts as 0.0. The gate asks `reportedConfidence` instead. */
export function getConfidence(answer: Pick<BridgeResponse, 'response' | 'metadata'>): number {
  return reportedConfidence(answer) ?? 0;
}

/** What the handler measured, else what the answer says of itself; null when neither says a share of one. */
export function reportedConfidence({
  metadata,
  response,
}: Pick<BridgeResponse, 'response' | 'metadata'>): number | null {
  const own = response === undefined ? undefined : answerObject(response);
  const said = [metadata?.confidence, own?.overall_confidence, own?.confidence];
  return said.find(isShare) ?? null;
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

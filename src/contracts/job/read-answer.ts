// STUB: replaced at the merge by the real reader. It takes the whole text as one object and checks the contract.
import type { AgentResponse } from '../generated/types/agent-response.js';
import { checkText } from '../shared/contract.js';
import { agentResponse } from './agent-response.js';

type Usage = { inputTokens: number; outputTokens: number; costMicroUsd: number };

export type ReadAnswer = {
  response: AgentResponse | null;
  fault: { kind: 'schema' | 'action' | 'summary' | 'path'; reason: string } | null;
  violation: string | null;
  warnings: string[];
  reported: Usage | null;
};

export function readAnswer(text: string, _options: { exact: boolean }): ReadAnswer {
  const verdict = checkText(agentResponse, text);
  const rest = { violation: null, warnings: [], reported: null };
  if (verdict.allow) return { response: JSON.parse(text) as AgentResponse, fault: null, ...rest };
  const kind = verdict.code === 'PATH_REFUSED' ? 'path' : 'schema';
  return { response: null, fault: { kind, reason: verdict.reason }, ...rest };
}

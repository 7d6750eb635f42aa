import type { BridgeResponse } from '../generated/types/bridge-response.js';
import type { CheckpointState } from '../generated/types/checkpoint-state.js';
import { check } from '../shared/contract.js';
import { isObject } from '../shared/is-object.js';
import { readJson } from '../shared/read-json.js';
import { type Denial, deny } from '../shared/verdict.js';
import { BRIDGE_BYTES_MAX } from './bridge-file-names.js';
import { bridgeResponse } from './bridge-response.js';
import { bridgeVersionDenial } from './bridge-version.js';
import { checkpointState } from './checkpoint-state.js';
import { wasAnswered } from './request-record.js';

/** One of `phase_data.agent_answers`: the whole response, and to which ask of the program it belongs. */
export type KeptAnswer = { phase: number; agent_name: string; response: BridgeResponse };

/** What a program left at its last checkpoint, or why it cannot be gone on from. */
export function readCheckpointState(text: string | Uint8Array): CheckpointState | Denial {
  const read = readJson(text, BRIDGE_BYTES_MAX);
  if ('denial' in read) return read.denial;
  const value = withoutNulls(read.value);
  const verdict = bridgeVersionDenial(value) ?? check(checkpointState, value);
  if (!verdict.allow) return verdict;
  const state = value as CheckpointState;
  return answersDenial(state) ?? state;
}

/** Only for a state that was read: its answers have been checked. */
export function keptAnswers({ phase_data }: CheckpointState): KeptAnswer[] {
  return (phase_data?.agent_answers ?? []) as KeptAnswer[];
}

/** The document's own class writes null for these two where its schema wants them left out. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const kept = { ...value };
  for (const field of ['project_path', 'template_name']) if (kept[field] === null) delete kept[field];
  return kept;
}

/** Answers are used without asking again, so they must fit the requests that the same state says were made. */
function answersDenial(state: CheckpointState): Denial | undefined {
  const answers: unknown = state.phase_data?.agent_answers ?? [];
  if (!Array.isArray(answers)) return unfit('', 'must be array');
  for (const [index, answer] of answers.entries()) {
    const denial = answerDenial(`/${index}`, answer, state);
    if (denial) return denial;
  }
  return undefined;
}

function answerDenial(path: string, answer: unknown, { agent_requests = [] }: CheckpointState): Denial | undefined {
  if (!isObject(answer)) return unfit(path, 'must be object');
  const { phase, agent_name, response } = answer;
  const verdict = bridgeVersionDenial(response) ?? check(bridgeResponse, response);
  if (!verdict.allow) return unfit(`${path}/response`, `is no response: ${verdict.reason}`);
  const { request_id } = response as BridgeResponse;
  const request = agent_requests.find((candidate) => candidate.request_id === request_id);
  if (!request || !wasAnswered(request))
    return unfit(path, `answers ${request_id}, which was not asked or not answered`);
  if (request.phase === phase && request.agent_name === agent_name) return undefined;
  return unfit(path, `answers ${request_id}, which was asked in phase ${request.phase} of ${request.agent_name}`);
}

function unfit(path: string, problem: string): Denial {
  const whole = `/phase_data/agent_answers${path}`;
  return deny('SCHEMA_INVALID', `${whole} ${problem}`, { path: whole });
}

import type { AgentResponse } from '../generated/types/agent-response.js';
import { check } from '../shared/contract.js';
import { isObject } from '../shared/is-object.js';
import { readJson } from '../shared/read-json.js';
import type { Denial } from '../shared/verdict.js';
import { agentResponse } from './agent-response.js';
import { readObject, whyUnread } from './read-object.js';
import { type ReportedUsage, reportedUsage } from './reported-usage.js';

export type AnswerRead = {
  /** Null when there is a fault. */
  response: AgentResponse | null;
  fault: AnswerProblem | null;
  /** What stood around the object, as a sentence. */
  violation: string | null;
  warnings: string[];
  /** Read even from an answer with a fault: it was paid for all the same. */
  reported: ReportedUsage | null;
};
export type AnswerProblem = { kind: 'schema' | 'action' | 'summary' | 'path'; reason: string };

/**
 * Contract 000, "Response Validation": the layers that need no workspace. `exact` is for answers by people and by
 * hand, which are taken as they are; the answers of agents are also found inside other text. `job` is whose answer it is.
 */
export function readAnswer(text: string, { exact, job }: { exact: boolean; job?: string }): AnswerRead {
  if (exact) {
    const whole = readJson(text);
    return 'value' in whole ? judge(whole.value, null, job) : unread(whyUnread(whole.denial), null);
  }
  const read = readObject(text);
  return 'value' in read ? judge(read.value, read.violation, job) : unread(read.reason, read.violation);
}

function judge(value: unknown, violation: string | null, job: string | undefined): AnswerRead {
  const { usage: reported, warnings } = isObject(value) ? reportedUsage(value) : { usage: null, warnings: [] };
  const verdict = check(agentResponse, value);
  if (!verdict.allow) return { ...faulty(faultOf(verdict)), violation, warnings, reported };
  const response = value as AgentResponse;
  const elsewhere = meantFor(value, job);
  if (elsewhere) return { ...faulty(elsewhere), violation, warnings, reported };
  return {
    response,
    fault: null,
    violation,
    warnings: [...summaryWarnings(response.summary_for_supervisor), ...warnings],
    reported,
  };
}

/** Nobody has to say which job an answer is for; whoever names another one has mixed them up. */
function meantFor(value: unknown, job: string | undefined): AnswerProblem | null {
  const { job_id: named } = value as { job_id?: unknown };
  if (job === undefined || named === undefined || named === job) return null;
  return { kind: 'schema', reason: `/job_id is ${JSON.stringify(named)?.slice(0, NAME_SHOWN_MAX)}, not ${job}` };
}

const NAME_SHOWN_MAX = 80;
const SUMMARY = '/summary_for_supervisor';

/** The printed schema decides first, so `keyword` tells a summary that is missing from one that is no text. */
function faultOf({ code, reason, details = {} }: Denial): AnswerProblem {
  const { path, keyword } = details;
  if (code === 'PATH_REFUSED') return { kind: 'path', reason };
  if (path === '/action') return { kind: 'action', reason };
  const missing = keyword === 'required' || keyword === undefined;
  return { kind: path === SUMMARY && missing ? 'summary' : 'schema', reason };
}

function unread(reason: string, violation: string | null): AnswerRead {
  return { ...faulty({ kind: 'schema', reason }), violation };
}

function faulty(fault: AnswerProblem): AnswerRead {
  return { response: null, fault, violation: null, warnings: [], reported: null };
}

const SENTENCES_MAX = 3;
/** A full stop ends a sentence when a new one may begin behind it: not in `e.g. this`, `v1.2` or `a.ts`. */
const SENTENCE_END = /[.!?]["')\]]*(?=\s+[^\s\p{Ll}])|[。！？](?=\s*\S)/gu;

function summaryWarnings(summary: string): string[] {
  const sentences = (summary.trim().match(SENTENCE_END)?.length ?? 0) + 1;
  if (sentences <= SENTENCES_MAX) return [];
  return [`the summary has ${sentences} sentences; two or three are agreed`];
}

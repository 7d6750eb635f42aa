import type { JobHistory, JobInteraction, JobRecoveryPoint } from '../../contracts/generated/types/job-history.js';
import type { Inventory } from '../../core/job/job-deeds.js';
import type { RequestFacts } from '../../core/job/job-effects.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import { checksOf, type JobOrder } from '../../core/job/job-order.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import { type LimitOptions, limitOptions } from '../job/job-options.js';
import type { Hash, RunId } from '../ports.js';
import type { Scrubbed } from '../scrub.js';
import type { Between, EndedAttempt } from './ended-attempt.js';
import { HistoryFold, type TakenPoint } from './history-fold.js';

/** Where the texts of a history come from. What is in the store was scrubbed before it came there. */
export type Texts = {
  body(sha256: Hash): Promise<Uint8Array | undefined>;
  /** The request as it is put together again, where none was recorded. */
  composed?(facts: RequestFacts): Promise<Scrubbed>;
};

/** The object form, which is the one Baton writes. */
export type HistoryObject = Exclude<JobHistory, readonly unknown[]> & {
  recovery_points: JobRecoveryPoint[];
  x_workflow: Workflow;
};

/** What, besides the answers, decides where a job goes: replay needs it to compute the same moves. */
export type Workflow = {
  phases: { name: string; role: string; agent: string; on_retry: string | null; checked: boolean }[];
  approval: boolean;
  verify: 'strict' | 'warn';
  protects: boolean;
  fallback: string | null;
  timeout_seconds: number;
  limits: LimitOptions;
};

/** Of one attempt, what the fields of the contract do not say. */
export type AttemptNotes = {
  cause: EndedAttempt['cause'];
  reason: string | null;
  tokens: number;
  by_hand: boolean;
  wait_seconds: number | null;
  since: readonly Between[];
};

export async function historyOf(
  run: RunId,
  events: AsyncIterable<JobEvent> | Iterable<JobEvent>,
  texts: Texts,
): Promise<HistoryObject> {
  const fold = new HistoryFold();
  const interactions: JobInteraction[] = [];
  for await (const interaction of interactionsIn(fold, run, events, texts)) interactions.push(interaction);
  return { ...headOf(run, fold), interactions, ...tailOf(fold) };
}

/** One by one, as they are folded; none is kept. */
export async function* interactionsIn(
  fold: HistoryFold,
  run: RunId,
  events: AsyncIterable<JobEvent> | Iterable<JobEvent>,
  texts: Texts,
): AsyncGenerator<JobInteraction> {
  for await (const event of events) {
    fold.add(event);
    for (const attempt of fold.take()) yield await interactionOf(run, attempt, texts);
  }
}

export function headOf(run: RunId, { createdAtMs }: Pick<HistoryFold, 'createdAtMs'>) {
  return { schema_version: '1.0.0', job_id: run, created_at: timeOf(createdAtMs) };
}

export function tailOf({ points, order }: Pick<HistoryFold, 'points' | 'order'>) {
  if (!order) throw new Error('a job begins with its submission');
  return { recovery_points: points.map(pointOf), x_workflow: workflowOf(order) };
}

export async function interactionOf(run: RunId, attempt: EndedAttempt, texts: Texts): Promise<JobInteraction> {
  const { sequence, stateBefore, workspace, handoff, response, action, cause, reason, tokens, since } = attempt;
  const prompt = await promptOf(attempt, texts);
  const raw = attempt.answer ? await textOf(attempt.answer, texts) : '';
  const model = modelIn(raw);
  const { role, phase, agent } = attempt;
  const wait_seconds = attempt.waitMs === null ? null : attempt.waitMs / 1_000;
  const notes: AttemptNotes = { cause, reason, tokens, by_hand: attempt.byHand, wait_seconds, since };
  return {
    sequence,
    timestamp: timeOf(attempt.askedAtMs),
    state_before: stateBefore,
    ...(workspace !== null && { workspace_path: workspace }),
    handoff: `${run}/${handoff}`,
    attempt: attempt.attempt,
    request: {
      prompt,
      files_context: filesIn(prompt) ?? [...attempt.contextFiles],
      metadata: { role, phase, agent, ...(model !== undefined && { model }) },
    },
    response: {
      status: response,
      action,
      evidence_files: await evidenceOf(attempt, texts),
      summary_for_supervisor: attempt.summary ? await textOf(attempt.summary, texts) : '',
      raw_response: raw,
      execution_time_seconds: attempt.activeMs / 1_000,
      cost_usd: attempt.costMicroUsd / 1_000_000,
      new_status: attempt.status,
    },
    x_attempt: notes,
  };
}

async function evidenceOf({ evidence, whole }: EndedAttempt, { body }: Texts): Promise<string[]> {
  const bytes = whole && (await body(whole.sha256));
  if (!bytes) return [...evidence];
  const all = JSON.parse(new TextDecoder().decode(bytes)) as Inventory;
  return [...all.evidence.map(({ path }) => path), ...all.missing];
}

const NOT_RECORDED = 'The request was never recorded: the attempt ended before its text was stored.';
const BY_HAND = 'Nobody was asked: the answer was handed in.';

async function promptOf({ request, facts, byHand }: EndedAttempt, texts: Texts): Promise<string> {
  if (request) return textOf(request, texts);
  const otherwise = byHand ? BY_HAND : NOT_RECORDED;
  if (!facts || !texts.composed) return otherwise;
  // What it is composed of may be gone by now; a history is not held up by that.
  return texts.composed(facts).then(readable, () => otherwise);
}

async function textOf({ sha256 }: BodyRef, { body }: Texts): Promise<string> {
  const bytes = await body(sha256);
  return bytes
    ? readable(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
    : `The text ${sha256} is not in the store any more.`;
}

/** No reader of JSON from outside accepts U+0000. */
function readable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

/** The contract's request names its files; a request in words does not. */
function filesIn(prompt: string): string[] | undefined {
  const files = objectIn(prompt)?.context_files;
  return Array.isArray(files) && files.every((file) => typeof file === 'string') ? files : undefined;
}

/** Agents may say in `x_usage` which model answered. */
function modelIn(raw: string): string | undefined {
  const usage = objectIn(raw)?.x_usage;
  const model = typeof usage === 'object' && usage !== null && 'model' in usage ? usage.model : undefined;
  return typeof model === 'string' ? model : undefined;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined; // words, not an object
  }
}

function pointOf({ id, sequence, resumePhase, commit, description, atMs, files, proof }: TakenPoint): JobRecoveryPoint {
  return {
    id,
    checkpoint_id: id,
    // A point before the first interaction stands at it: the contract counts from zero.
    sequence: Math.max(0, sequence),
    // Without files there is nothing to go back to.
    can_resume_from: commit !== null,
    description,
    resume_phase: resumePhase,
    ...(files && { rollback_files: [...files] }),
    ...(proof && { metadata: proofOf(proof) }),
    ...(commit !== null && { commit }),
    created_at: timeOf(atMs),
  };
}

/** Only what was seen: checks that passed, and files that were there. */
function proofOf({ evidence, checks }: NonNullable<TakenPoint['proof']>): NonNullable<JobRecoveryPoint['metadata']> {
  const confidence = checks > 0 ? 'high' : evidence > 0 ? 'medium' : 'low';
  return { confidence, evidence_count: evidence, ...(checks > 0 && { test_pass_rate: '100%' }) };
}

function workflowOf(order: JobOrder): Workflow {
  const { approval, verify, protect, fallback, handoffTimeoutMs, limits } = order;
  return {
    phases: order.phases.map((phase) => {
      const { name, role, agent, onRetry } = phase;
      return { name, role, agent, on_retry: onRetry, checked: checksOf(order, phase).length > 0 };
    }),
    approval,
    verify,
    protects: protect.length > 0,
    fallback,
    timeout_seconds: handoffTimeoutMs / 1_000,
    limits: limitOptions(limits),
  };
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

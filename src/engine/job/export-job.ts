import { BatonError } from '../../contracts/shared/errors.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { JobOrder, Phase } from '../../core/job/job-order.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import type { EventStore, RunId } from '../ports.js';
import { jobEvents } from '../projections/job-events.js';
import { type HistoryObject, historyOf, type Texts } from '../projections/job-history.js';
import { type JobOptions, limitOptions, type PhaseOptions } from './job-options.js';

/** What a job was asked to be, with its texts, as `x_order` of an export. */
export type ExportedOrder = Omit<
  JobOptions,
  'id' | 'agent' | 'supervisor' | 'workflow' | 'after' | 'activate' | 'history'
>;
/** A history in its object form that needs nothing else. */
export type ExportedJob = HistoryObject & { x_order: ExportedOrder; x_past?: unknown };

/** All of a job in one value. Texts were scrubbed before they were stored; of variables only names are in it. */
export async function exportJob(
  store: Pick<EventStore, 'events' | 'body'>,
  run: RunId,
  composed?: Texts['composed'],
): Promise<ExportedJob> {
  let order: JobOrder | undefined;
  const events = async function* (): AsyncIterable<JobEvent> {
    for await (const { event } of jobEvents(store, run)) {
      if (event.type === 'JobSubmitted') order = event.order;
      if (!order) throw new BatonError('RUN_NOT_FOUND', `${run} is not a job`, { run_id: run });
      yield event;
    }
    if (!order) throw new BatonError('RUN_NOT_FOUND', `there is no job ${run}`, { run_id: run });
  };
  const body = (sha256: string) => store.body(sha256);
  const history = await historyOf(run, events(), { body, ...(composed && { composed }) });
  const submitted = order as JobOrder;
  const past = submitted.past && (await textOf(store, submitted.past));
  return { ...history, x_order: await orderWithTexts(store, submitted), ...(past && { x_past: JSON.parse(past) }) };
}

async function orderWithTexts(store: Pick<EventStore, 'body'>, order: JobOrder): Promise<ExportedOrder> {
  const { repository, setup, fallback, projectFile } = order;
  const repo = repository && { repo: repository.folder, dirty: repository.dirty, paths: repository.paths };
  return {
    name: order.title,
    prompt: await textOf(store, order.prompt),
    phases: await Promise.all(order.phases.map((phase) => phaseWithTexts(store, phase))),
    limits: limitOptions(order.limits),
    timeout_seconds: order.handoffTimeoutMs / 1_000,
    verify: order.verify,
    approve: order.approval,
    checks: order.checks,
    protect: order.protect,
    env: order.env,
    rank: order.rank,
    ...repo,
    ...(repository?.base && { base: repository.base }),
    ...(setup && { setup }),
    ...(fallback !== null && { fallback }),
    ...(projectFile !== null && { project_file: projectFile }),
  };
}

async function phaseWithTexts(store: Pick<EventStore, 'body'>, phase: Phase): Promise<PhaseOptions> {
  const { name, role, agent, instructions, onRetry, checks } = phase;
  return {
    ...{ name, role, agent },
    ...(instructions && { instructions: await textOf(store, instructions) }),
    ...(onRetry !== null && { on_retry: onRetry }),
    ...(checks && { checks }),
  };
}

async function textOf(store: Pick<EventStore, 'body'>, { sha256 }: BodyRef): Promise<string> {
  const bytes = await store.body(sha256);
  if (!bytes) throw new BatonError('INPUT_UNREADABLE', `the text ${sha256} is not in the store any more`, { sha256 });
  return new TextDecoder().decode(bytes);
}

import type { JobHistory, JobInteraction, JobRecoveryPoint } from '../../contracts/generated/types/job-history.js';
import { jobHistory } from '../../contracts/job/job-history.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { ExportedOrder } from './export-job.js';
import type { JobOptions, LimitOptions, PhaseOptions } from './job-options.js';
import { interactionsOf, replay } from './replay-history.js';

export type Imported = { options: JobOptions; warnings: string[] };

type Whole = Exclude<JobHistory, readonly unknown[]>;

/**
 * A history from elsewhere as a new job in DRAFT that has it as its past. It is only text: nothing in it is run, and
 * no folder, command or variable that it names is used before a person names it again.
 */
export function importHistory(input: string | Uint8Array): Imported {
  const read = readJson(input, jobHistory.bytesMax);
  if ('denial' in read) throw new BatonError(read.denial.code, read.denial.reason, read.denial.details);
  const history = parseContract(jobHistory, read.value);
  const warnings: string[] = [];
  const whole = renumbered(history, warnings);
  const replayed = replay(whole);
  if (!replayed.ok) warnings.push(`it does not replay: interaction ${replayed.sequence}, ${replayed.reason}`);
  const order = orderIn(whole);
  const options = order ? fromOrder(order, whole, warnings) : fromInteractions(whole, warnings);
  return { options: { ...options, activate: false, history: JSON.stringify(whole) }, warnings };
}

const OF_THE_FILE = new Set(['x_end', 'x_sha256', 'x_first', 'x_parts']);

/** In the object form and counted from 0, whichever way it came. */
function renumbered(history: JobHistory, warnings: string[]): Whole {
  const interactions = interactionsOf(history);
  const first = interactions[0]?.sequence ?? 0;
  if (first > 1) {
    const reason = `it begins with interaction ${first}: import the whole history, not a part of it`;
    throw new BatonError('SCHEMA_INVALID', reason, { path: '/interactions/0/sequence', expected: [0, 1] });
  }
  const gap = interactions.findIndex(({ sequence }, index) => sequence !== first + index);
  if (gap >= 0) {
    const details = { path: `/interactions/${gap}/sequence`, expected: first + gap };
    throw new BatonError('SCHEMA_INVALID', `interaction ${first + gap} is missing or out of its place`, details);
  }
  if (first === 1) warnings.push('it counts from 1: its interactions were numbered anew from 0');
  const counted = interactions.map((one, index) => ({ ...one, sequence: index }));
  return { ...headOf(history, counted), interactions: counted, ...pointsOf(history, first) };
}

function headOf(history: JobHistory, interactions: readonly JobInteraction[]): Pick<Whole, 'job_id' | 'created_at'> {
  if (!Array.isArray(history)) {
    const kept = Object.entries(history).filter(([field]) => !OF_THE_FILE.has(field));
    return Object.fromEntries(kept) as Whole;
  }
  const [one] = interactions;
  if (!one) throw new BatonError('SCHEMA_INVALID', 'a list without interactions tells nothing', { path: '' });
  return { job_id: one.handoff?.split('/')[0] || 'imported', created_at: one.timestamp };
}

function pointsOf(history: JobHistory, first: number): { recovery_points?: JobRecoveryPoint[] } {
  if (Array.isArray(history) || !history.recovery_points) return {};
  const shift = (point: JobRecoveryPoint) => ({ ...point, sequence: Math.max(0, point.sequence - first) });
  return { recovery_points: history.recovery_points.map(shift) };
}

/** Only where it has the form of one: what is wrong with single values is said when the job is made. */
function orderIn({ x_order: order }: Whole): Partial<ExportedOrder> | undefined {
  if (order === undefined) return undefined;
  const { phases = [], limits = {} } = (order ?? {}) as Partial<ExportedOrder>;
  const isPhase = (phase: PhaseOptions) =>
    [phase?.name, phase?.role, phase?.agent].every((text) => typeof text === 'string');
  const isOrder = Array.isArray(phases) && phases.every(isPhase) && typeof limits === 'object' && limits !== null;
  if (isOrder) return order as Partial<ExportedOrder>;
  throw new BatonError('SCHEMA_INVALID', '/x_order is not the order of a job', { path: '/x_order' });
}

const NOT_TAKEN = ['repo', 'base', 'setup', 'checks', 'env', 'protect', 'fallback', 'project_file'] as const;

function fromOrder(order: Partial<ExportedOrder>, whole: Whole, warnings: string[]): JobOptions {
  const named = NOT_TAKEN.filter((field) => [order[field] ?? []].flat().length > 0);
  const phaseChecks = (order.phases ?? []).some(({ checks = [] }) => checks.length > 0);
  const left = [...named, ...(phaseChecks ? ['checks of phases'] : [])];
  if (left.length > 0) warnings.push(`not taken over, name them again if they are to hold: ${left.join(', ')}`);
  const { timeout_seconds, verify, approve, name, phases } = order;
  return {
    prompt: String(order.prompt ?? promptOf(whole)),
    ...(name !== undefined && { name: String(name) }),
    description: descriptionOf(whole),
    ...(phases && { phases: phases.map(withoutChecks) }),
    limits: bounded(order.limits ?? {}),
    ...(Number(timeout_seconds) > 0 && { timeout_seconds: Number(timeout_seconds) }),
    verify: verify === 'warn' ? 'warn' : 'strict',
    approve: approve === true,
  };
}

function withoutChecks({ name, role, agent, instructions, on_retry }: PhaseOptions): PhaseOptions {
  return { name, role, agent, ...(instructions && { instructions }), ...(on_retry && { on_retry }) };
}

/** A file can bound a job, not free it of its bounds. */
function bounded(limits: LimitOptions): LimitOptions {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => Number.isFinite(limit) && limit > 0));
}

function fromInteractions(whole: Whole, warnings: string[]): JobOptions {
  const asked = whole.interactions.map(({ request }) => request.metadata);
  const agentOf = (role: string) => asked.findLast((one) => one.role === role && one.agent !== undefined)?.agent;
  const agent = agentOf('Worker');
  const supervisor = agentOf('Supervisor');
  if (agent === undefined) warnings.push('it does not say which agent worked: name one with --agent');
  return {
    prompt: promptOf(whole),
    description: descriptionOf(whole),
    ...(agent !== undefined && { agent }),
    ...(supervisor !== undefined && { supervisor }),
  };
}

function promptOf({ interactions }: Whole): string {
  const prompt = interactions[0]?.request.prompt ?? '';
  if (prompt.trim() !== '') return prompt;
  throw new BatonError('SCHEMA_INVALID', 'it does not say what was to be done', {
    path: '/interactions/0/request/prompt',
  });
}

function descriptionOf({ job_id }: Whole): string {
  return `imported from ${job_id}`;
}

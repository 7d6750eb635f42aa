import type { Limits } from '../kernel/budget.js';
import type { BodyRef, ThreadOrigin } from '../kernel/effect.js';
import { isProjectName, projectOf } from '../kernel/project.js';

/** One step of a workflow. Role `Supervisor` reviews; every other role works. */
export type Phase = {
  name: string;
  role: string;
  agent: string;
  /** Standing instructions of the role, or null for the built-in ones. */
  instructions: BodyRef | null;
  /** Where a RETRY of this phase leads; null is the phase itself. */
  onRetry: string | null;
  /** Commands that must succeed after this phase, instead of the job's. */
  checks: readonly (readonly string[])[] | null;
  /** Its agent is a person, who answers by hand and is not hurried. */
  byHand?: boolean;
};

export type Repository = {
  folder: string;
  /** What to start from; null is HEAD. */
  base: string | null;
  /** Takes uncommitted files along. */
  dirty: boolean;
  /** Only these paths are checked out; none means all. */
  paths: readonly string[];
};

/** What a job is. Fixed when it is created, but for limits, which can be raised, and its rank. */
export type JobOrder = {
  title: string;
  prompt: BodyRef;
  phases: readonly Phase[];
  limits: Limits;
  handoffTimeoutMs: number;
  verify: 'strict' | 'warn';
  /** A person says yes before it counts as done. */
  approval: boolean;
  repository: Repository | null;
  setup: readonly string[] | null;
  checks: readonly (readonly string[])[];
  /** Patterns of files that checks take from the base, and whose change a person sees. */
  protect: readonly string[];
  /** Names of environment variables that are passed on. */
  env: readonly string[];
  /** Starts only when these runs have ended. */
  after: readonly string[];
  rank: number;
  /** Asked instead when the agent's provider makes it wait. */
  fallback: string | null;
  /** What a provider's limit leads to when nobody takes over; absent waits. */
  onLimit?: 'wait' | 'ask';
  /** Hosts that its agents and its setup may reach from inside a sandbox. */
  network?: readonly string[];
  /** Paths of the repository that no other job may have while this one works. */
  locks?: readonly string[];
  /** Absent is the name of the repository. */
  project?: string;
  /** Hash of the project file it was made with. */
  projectFile: string | null;
  forkedFrom: ForkedFrom | null;
  /** The history of an earlier life elsewhere, where it was imported from. */
  past?: BodyRef;
};

/** The job and point it was forked from; by phase, the conversation of that time. */
export type ForkedFrom = { job: string; point: string; threads?: Readonly<Record<string, PhaseThread>> };
export type PhaseThread = ThreadOrigin & { agent: string };

export const WORKER_PHASE = 'implementation';
export const SUPERVISOR_PHASE = 'supervisor-review';
const SUPERVISOR_ROLE = 'Supervisor';

export function builtInPhases(worker: string, supervisor: string | null): Phase[] {
  const rest = { instructions: null, checks: null };
  const work: Phase = { name: WORKER_PHASE, role: 'Worker', agent: worker, onRetry: null, ...rest };
  if (supervisor === null) return [work];
  return [work, { name: SUPERVISOR_PHASE, role: SUPERVISOR_ROLE, agent: supervisor, onRetry: WORKER_PHASE, ...rest }];
}

export function projectIn({ project, repository }: JobOrder): string {
  return projectOf(project, repository?.folder);
}

export function isSupervisor({ role }: Pick<Phase, 'role'>): boolean {
  return role === SUPERVISOR_ROLE;
}

/** Reviews judge what was proven before; only work is proven. */
export function checksOf({ checks }: JobOrder, phase: Phase): readonly (readonly string[])[] {
  return isSupervisor(phase) ? [] : (phase.checks ?? checks);
}

/** Why an order cannot be taken, in words; undefined when it can. */
export function orderProblem({ phases, limits, handoffTimeoutMs, project }: JobOrder): string | undefined {
  if (project !== undefined && !isProjectName(project)) return `a project cannot be called ${JSON.stringify(project)}`;
  if (phases.length === 0) return 'a job has at least one phase';
  const names = phases.map(({ name }) => name);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) return `two phases are called ${double}`;
  const astray = phases.find(({ onRetry }) => onRetry !== null && !names.includes(onRetry));
  if (astray) return `${astray.name} goes back to ${astray.onRetry}, which is no phase`;
  if (!(handoffTimeoutMs > 0)) return `a handoff may take longer than ${handoffTimeoutMs} ms`;
  const negative = Object.entries(limits).find(([, limit]) => !(limit >= 0));
  return negative && `the limit ${negative[0]} cannot be ${negative[1]}`;
}

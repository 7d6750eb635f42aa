import { addSpent, type Spent } from '../kernel/budget.js';
import type { BodyRef, Usage, Verdict, Wanted } from '../kernel/effect.js';
import type { Reading, Workspace } from './job-deeds.js';
import type { RecoveryPoint, Rest, RestingStatus } from './job-messages.js';
import type { JobOrder, Phase } from './job-order.js';
import type { JobStatus } from './job-status.js';

/** One handoff: its key, which attempt it is, and where the job stood when it became due. */
export type Handoff = { key: string; attempt: number; stateBefore: JobStatus };
export type Asked = Handoff & { sequence: number; agent: string; askedAtMs: number; byHand: boolean };

/** Whose words they are decides how far they are followed: only the steward gives orders. */
export type Advice = BodyRef & { from: 'steward' | 'agent' | 'check' };

/** What is under way inside a status. */
export type Stage =
  | { name: 'draft' }
  | { name: 'waiting'; for: readonly string[] }
  | { name: 'preparing'; sinceMs: number }
  | { name: 'queued'; handoff: Handoff }
  | { name: 'pausing'; handoff: Handoff; untilMs: number }
  /** A budget of the day is used up; nobody is asked before there is something left. */
  | { name: 'parked'; handoff: Handoff; reason: string; untilMs: number }
  | { name: 'asking'; handoff: Asked; deadlineMs: number; question: number | null }
  /** It wants to do something, and waits for a person; nothing of it runs. */
  | { name: 'approving'; handoff: Handoff; agent: string; wanted: Wanted; question: number; notified: boolean }
  | { name: 'collecting'; handoff: Asked; answer: BodyRef; metered: boolean; sinceMs: number }
  | { name: 'checking'; handoff: Asked; reading: Reading; sinceMs: number }
  | { name: 'resting'; why: Rest; question: number; notified: boolean }
  | { name: 'restoring'; point: RecoveryPoint; files: readonly string[]; from: RestingStatus | 'PENDING' }
  | { name: 'ended' };

export type Job = { status: 'NEW' } | LiveJob;
export type LiveJob = {
  status: JobStatus;
  order: JobOrder;
  stage: Stage;
  /** The phase that is due or under way. */
  phase: string;
  spent: Spent;
  /** By phase, the conversation to go on with: an agent that works and reviews has two. */
  threads: Readonly<Record<string, { agent: string; thread: string }>>;
  /** What a person has said to the agent's question, until it is asked again and comes to an end. */
  verdict: Verdict | null;
  /** Tokens among them that are the agents' own word. */
  reported: number;
  workspace: Workspace | null;
  /** The workspace as the last handoff left it. */
  commit: string | null;
  /** RETRYs in a row, by phase. */
  tries: Record<string, number>;
  /** How often the matrix has asked the due handoff again by itself. */
  repeats: number;
  /** Advice for the due phase, oldest first. */
  guidance: readonly Advice[];
  /** How many of them, the last, came after the due phase was asked. */
  unheard: number;
  /** What the last completed phase handed on. */
  handedOn: { phase: string; summary: BodyRef | null; files: readonly string[]; whole?: BodyRef } | null;
  /** Asked instead of the phase's own, while its provider makes it wait. */
  standIn: string | null;
  /** The newest ones. Older ones are in the log, and whoever goes back to one of them brings it along. */
  points: readonly RecoveryPoint[];
  pointsTaken: number;
  /** Checks that passed on the present tree; null when none was run. */
  proof: number | null;
  pullRequest: string | null;
  handoffs: number;
  sequence: number;
  questions: number;
  /** How many handoffs may still begin; absent is as many as it takes. */
  steps?: number;
  /** Limits of which a person was warned. */
  warned: readonly string[];
  /** What went wrong last, in words with values; whether it still matters is the stage's to say. */
  trouble: string | null;
};

/** More than a job takes within its usual limits; a state that held them all would grow with its log. */
export const POINTS_KEPT_MAX = 100;

export function nextPointId({ pointsTaken }: LiveJob): string {
  return `p${pointsTaken + 1}`;
}

export function phaseNamed({ order }: Pick<LiveJob, 'order'>, name: string): Phase | undefined {
  return order.phases.find((phase) => phase.name === name);
}

export function duePhase(job: LiveJob): Phase {
  const phase = phaseNamed(job, job.phase);
  if (!phase) throw new Error(`${job.phase} is no phase of this job`);
  return phase;
}

export function phaseAfter({ order }: LiveJob, name: string): Phase | undefined {
  return order.phases[order.phases.findIndex((phase) => phase.name === name) + 1];
}

export function handoffKey(number: number): string {
  return `h${number}`;
}

/** The handoff that is due or under way, or null when nobody is to be asked. */
export function dueHandoff(job: LiveJob): Handoff | null {
  const { stage } = job;
  if ('handoff' in stage) return stage.handoff;
  const comes = stage.name === 'waiting' || stage.name === 'preparing';
  return comes ? nextHandoff(job) : null;
}

export function nextHandoff({ handoffs, status }: LiveJob): Handoff {
  return { key: handoffKey(handoffs + 1), attempt: 1, stateBefore: status };
}

/** It was to make so many handoffs and no more: it rests until somebody says go on. */
export function isHeld({ steps, stage }: LiveJob): boolean {
  return steps === 0 && stage.name === 'queued' && stage.handoff.attempt === 1;
}

export function openQuestion({ stage }: LiveJob): number | null {
  return 'question' in stage ? stage.question : null;
}

export function spend(spent: Spent, usage: Usage, activeMs: number): Spent {
  const { costMicroUsd, inputTokens, outputTokens } = usage;
  return addSpent(spent, { costMicroUsd, tokens: inputTokens + outputTokens, activeMs: Math.max(0, activeMs) });
}

import { stagesBehind } from '../../contracts/envelope/pipeline-paths.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { FORBIDDEN_KEYS } from '../../contracts/shared/read-json.js';

type Output = Readonly<Record<string, unknown>>;
type GoalStatus = 'pending' | 'satisfied' | 'failed';

/** What the intent wants to be reached begins anew with it. */
export function beginGoals(envelope: Envelope, goals: readonly unknown[]): Envelope {
  const all = [...new Set(texts(goals))];
  return {
    ...envelope,
    all_goals: all,
    remaining_goals: [...all],
    goal_completion_status: statuses(all.map((goal) => [goal, 'pending'])),
  };
}

/** Goals that the critic names and nobody has set are not goals. */
export function satisfyGoals(envelope: Envelope, satisfied: readonly string[]): { envelope: Envelope; left: string[] } {
  const { remaining_goals = [], goal_completion_status = {} } = envelope;
  const reached = new Set(satisfied.filter((goal) => remaining_goals.includes(goal)));
  const left = remaining_goals.filter((goal) => !reached.has(goal));
  if (reached.size === 0) return { envelope, left };
  const status = statuses([...Object.entries(goal_completion_status), ...[...reached].map(satisfiedRow)]);
  return { envelope: { ...envelope, remaining_goals: left, goal_completion_status: status }, left };
}

/** At the end, what is left was not reached. */
export function failGoals(envelope: Envelope): Envelope {
  const { remaining_goals = [], goal_completion_status = {} } = envelope;
  if (remaining_goals.length === 0) return envelope;
  const failed = remaining_goals.map((goal): [string, GoalStatus] => [goal, 'failed']);
  return { ...envelope, goal_completion_status: statuses([...Object.entries(goal_completion_status), ...failed]) };
}

/** Whoever goes on with an envelope that had ended may reach them after all. */
export function reopenGoals(envelope: Envelope): Envelope {
  const { remaining_goals = [], goal_completion_status = {} } = envelope;
  const failed = remaining_goals.filter((goal) => goal_completion_status[goal] === 'failed');
  if (failed.length === 0) return envelope;
  const pending = failed.map((goal): [string, GoalStatus] => [goal, 'pending']);
  return { ...envelope, goal_completion_status: statuses([...Object.entries(goal_completion_status), ...pending]) };
}

/** An approval that names no goal approves all that it does not name as missing. */
export function goalsSaid(output: Output, { remaining_goals = [] }: Envelope): string[] {
  if (Array.isArray(output.satisfied_goals)) return texts(output.satisfied_goals);
  if (output.verdict !== 'approved') return [];
  const missing = new Set(texts(output.unsatisfied_goals));
  return remaining_goals.filter((goal) => !missing.has(goal));
}

/** The plan that is given up, and what the critic had to say about it. */
export function rememberPlan(envelope: Envelope, output: Output): Envelope {
  const { prior_plans = [], critic_feedback = [], outputs } = envelope;
  const feedback = typeof output.feedback === 'string' && output.feedback !== '' ? [output.feedback] : [];
  return {
    ...envelope,
    prior_plans: outputs.plan ? [...prior_plans, outputs.plan] : prior_plans,
    critic_feedback: [...critic_feedback, ...feedback],
  };
}

export function completeStage(envelope: Envelope, output: Output, satisfied: readonly string[]): Envelope {
  const { completed_stages = [], current_stage_number = 1, outputs, all_goals = [] } = envelope;
  const { verdict: _, satisfied_goals: __, ...summary } = output;
  const plan_id = outputs.plan?.plan_id;
  const stage = {
    stage_number: current_stage_number,
    satisfied_goals: satisfied.filter((goal) => all_goals.includes(goal)),
    summary,
    plan_id: typeof plan_id === 'string' ? plan_id : null,
  };
  return { ...envelope, completed_stages: [...completed_stages, stage] };
}

/** What was made for the work that is given up: everything behind the stage it begins anew with. */
export function withoutOutputsBehind(envelope: Envelope, pipeline: Pipeline, target: string): Envelope {
  const behind = stagesBehind(pipeline, target);
  const given = new Set(pipeline.stages.filter(({ name }) => behind.has(name)).map(({ output_key }) => output_key));
  const outputs = Object.fromEntries(Object.entries(envelope.outputs).filter(([key]) => !given.has(key)));
  return { ...envelope, outputs };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

const satisfiedRow = (goal: string): [string, GoalStatus] => [goal, 'satisfied'];

/** Goals are words of an agent: one may be called what no reader takes as a name, and has no status then. */
function statuses(rows: readonly [string, GoalStatus][]): Record<string, GoalStatus> {
  return Object.fromEntries(rows.filter(([goal]) => !FORBIDDEN_KEYS.has(goal)));
}

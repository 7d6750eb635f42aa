import type { Envelope, EnvelopeBoard, EnvelopeBound } from '../../client/index.js';
import { timesWord } from './pipeline-ways.js';

const BOUNDS: Readonly<Record<EnvelopeBound['name'], { name: string; one: string; many: string }>> = {
  iterations: { name: 'Iterations', one: 'iteration', many: 'iterations' },
  llm_calls: { name: 'LLM calls', one: 'LLM call', many: 'LLM calls' },
  agent_hops: { name: 'Hops', one: 'hop', many: 'hops' },
  critic_fires: { name: 'Critic rejections in a row', one: 'rejection', many: 'rejections' },
};
/** From so much of a bound on it is near its end. */
const NEAR = 0.8;

export function boundName({ name }: EnvelopeBound): string {
  return BOUNDS[name].name;
}

export function leftOf({ used, max }: Pick<EnvelopeBound, 'used' | 'max'>): number {
  return Math.max(0, max - used);
}

export function isNear({ used, max }: Pick<EnvelopeBound, 'used' | 'max'>): boolean {
  return max <= used || used >= max * NEAR;
}

/** "2 LLM calls left". */
export function leftWords(bound: EnvelopeBound): string {
  const left = leftOf(bound);
  const { one, many } = BOUNDS[bound.name];
  return left === 0 ? `no ${many} left` : `${left} ${left === 1 ? one : many} left`;
}

/** The bound of which the largest part is used; of equal ones that of which least is left. */
export function nearestBound(bounds: readonly EnvelopeBound[]): EnvelopeBound | undefined {
  const share = ({ used, max }: EnvelopeBound): number => (max === 0 ? 1 : used / max);
  return bounds.toSorted((one, other) => share(other) - share(one) || leftOf(one) - leftOf(other))[0];
}

export type Goal = { goal: string; status: 'pending' | 'satisfied' | 'failed'; stage: number | null };

/** As they were set; which stage reached one is what that stage has said. */
export function goalsOf({
  all_goals = [],
  goal_completion_status = {},
  completed_stages = [],
}: Envelope): readonly Goal[] {
  return all_goals.map((goal) => {
    const stage = completed_stages.find(({ satisfied_goals = [] }) => satisfied_goals.includes(goal));
    const status = Object.hasOwn(goal_completion_status, goal) ? goal_completion_status[goal] : undefined;
    return { goal, status: status ?? 'pending', stage: stage?.stage_number ?? null };
  });
}

/** "2 of 4 satisfied". */
export function goalWords(goals: readonly Pick<Goal, 'status'>[]): string {
  const satisfied = goals.filter(({ status }) => status === 'satisfied').length;
  return goals.length === 0 ? 'none set' : `${satisfied} of ${goals.length} satisfied`;
}

/** Who is at work, asks, or would be next. */
export function litStages({ status, passes, question, due, envelope }: EnvelopeBoard): readonly string[] {
  const atWork = passes.filter(({ status }) => status === 'running').map(({ stage }) => stage);
  // Between the end of a stage and the next version nobody is.
  if (atWork.length > 0 || status === 'running') return atWork;
  if (question) return question.stage === null ? [] : [question.stage];
  return envelope.terminated ? [] : due;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** How it stands, behind the word for its state. */
export function stateWords(board: EnvelopeBoard): string {
  const { status, envelope, due, bounds } = board;
  const lit = litStages(board);
  const reason = envelope.termination_reason ?? '';
  switch (status) {
    case 'running':
      if (lit.length === 0) return 'What was given is being put together.';
      return `${listed(lit)} ${lit.length > 1 ? 'are' : 'is'} at work${sentBack(envelope)}.`;
    case 'completed_successfully': {
      const goals = goalsOf(envelope);
      return goals.length === 0 ? 'It has come to its end.' : `It has come to its end: ${goalWords(goals)}.`;
    }
    case 'paused':
      return due.length === 0 ? 'Nothing is due.' : `It rests before ${listed(due)}. Send it again and it goes on.`;
    case 'denied_by_policy':
      return 'It was not agreed to, so nothing of it was done. It does not go on.';
    case 'clarification_required':
      return 'The question was not answered in time. It does not go on.';
    case 'tool_failed_recoverably':
      return `${sentence(reason)} Send it back with terminated false and it tries again.`.trim();
    case 'tool_failed_fatally':
      return sentence(reason);
    default: {
      const bound = bounds.find(({ name }) => status === `max_${name}_exceeded`);
      return bound ? boundWords(bound, due) : sentence(reason);
    }
  }
}

function boundWords({ name, used, max }: EnvelopeBound, due: readonly string[]): string {
  const next = due.length === 0 ? '' : ` at ${listed(due)}`;
  const used_of =
    name === 'iterations' || name === 'critic_fires'
      ? `It was sent back ${timesWord(used)}, and ${max} ${max === 1 ? 'is' : 'are'} allowed.`
      : `${used} of ${max} ${BOUNDS[name].many} are used.`;
  if (name === 'critic_fires') return used_of;
  return `${used_of} Raise max_${name} and send it back with terminated false: it goes on${next}.`;
}

function sentBack({ iteration = 0 }: Envelope): string {
  return iteration === 0 ? '' : `; it was sent back ${timesWord(iteration)} before`;
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return begun === '' || /[.?!]$/.test(begun) ? begun : `${begun}.`;
}

/** Of a key or a code: "final_response" is "Final response". */
export function keyWord(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1.1 s", "12 s", "2 m 05 s". */
export function shortSpan(ms: number): string {
  if (ms < 950) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
}

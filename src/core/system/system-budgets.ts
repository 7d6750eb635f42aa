/** Budgets of a day, as the system run keeps them. Each says once a day that it is near, and asks once when it is used. */
import { amountWords } from '../kernel/budget.js';
import { type Decision, refuse } from '../kernel/decider.js';
import type { InboxChange } from '../kernel/inbox.js';
import { isProjectName } from '../kernel/project.js';
import {
  BUDGETS_MAX,
  budgetKey,
  type DayLimits,
  type DaySpent,
  judgeBudget,
  usedDimension,
  usedReason,
} from './day-budget.js';
import type { BudgetCommand, BudgetEvent, KeptBudget, SystemState } from './system-messages.js';

type Outcome = Decision<BudgetEvent>;
type Command<Type extends BudgetCommand['type']> = Extract<BudgetCommand, { type: Type }>;
type Budgets = Pick<SystemState, 'budgets' | 'budgetQuestions'>;
const NOTHING: Outcome = { events: [] };

export function decideBudget(state: Readonly<Budgets>, command: BudgetCommand): Outcome {
  switch (command.type) {
    case 'SetBudget':
      return setBudget(state, command);
    case 'RaiseBudget':
      return raiseBudget(state, command);
    case 'LeaveBudget': {
      const found = askedBy(state, command.question);
      if (!found) return closed(command.question);
      const { project } = found;
      return { events: [{ type: 'BudgetLeft', atMs: command.atMs, project, question: command.question }] };
    }
    case 'NoteBudget':
      return noteBudget(state, command);
    case 'NoteBudgetTold': {
      const { atMs, project, day, level } = command;
      const alert = state.budgets.get(budgetKey(project))?.alert;
      if (alert?.day !== day || alert.level !== level || alert.told) return NOTHING;
      return { events: [{ type: 'BudgetTold', atMs, project, day, level }] };
    }
  }
}

function setBudget({ budgets }: Readonly<Budgets>, { atMs, project, limits }: Command<'SetBudget'>): Outcome {
  if (project !== null && !isProjectName(project)) {
    return refuse('SCHEMA_INVALID', `a project cannot be called ${JSON.stringify(project)}`, { path: '/project' });
  }
  const known = budgets.get(budgetKey(project));
  const question = known?.alert?.question ?? null;
  if (limits === null) {
    if (known) return { events: [{ type: 'BudgetRemoved', atMs, project, question }] };
    const whose = project === null ? 'of all projects' : `of ${project}`;
    return refuse('BUDGET_NOT_FOUND', `there is no budget ${whose}`, { project });
  }
  const problem = limitsProblem(limits);
  if (problem !== undefined) return refuse('SCHEMA_INVALID', problem, { path: '/usd_per_day' });
  if (!known && budgets.size >= BUDGETS_MAX) {
    return refuse('BUDGETS_FULL', `there are ${BUDGETS_MAX} budgets already`, { budgets_max: BUDGETS_MAX });
  }
  return { events: [{ type: 'BudgetSet', atMs, project, limits, question }] };
}

function limitsProblem(limits: DayLimits): string | undefined {
  const given = Object.values(limits);
  if (given.length === 0) return 'a budget limits money or tokens';
  return given.every((limit) => Number.isSafeInteger(limit) && limit > 0)
    ? undefined
    : `a budget is more than nothing, and not ${given.join(' and ')}`;
}

/** `total` is of the unit that was used up: micro-USD or tokens. */
function raiseBudget(state: Readonly<Budgets>, { atMs, question, total }: Command<'RaiseBudget'>): Outcome {
  const found = askedBy(state, question);
  if (!found?.alert) return closed(question);
  const { project, limits, alert } = found;
  const dimension = usedDimension({ limits, spent: alert.spent }) as keyof DaySpent;
  if (!(total > alert.spent[dimension])) {
    const reason = `${amountWords(dimension, total)} is not above the ${amountWords(dimension, alert.spent[dimension])} already spent today`;
    return refuse('LIMIT_TOO_LOW', reason, { limit: dimension, spent: alert.spent[dimension] });
  }
  return setBudget(state, { type: 'SetBudget', atMs, project, limits: { ...limits, [dimension]: total } });
}

/** Whoever looks says what it sees; only the first to see it of a day is heard. */
function noteBudget(state: Readonly<Budgets>, { atMs, project, day, level, spent }: Command<'NoteBudget'>): Outcome {
  const budget = state.budgets.get(budgetKey(project));
  if (!budget) return NOTHING;
  const { alert, limits } = budget;
  const events: BudgetEvent[] = [];
  // A clock that is behind is not a new day.
  if (alert && alert.day > day) return NOTHING;
  if (alert && alert.day < day && alert.question !== null) {
    events.push({ type: 'BudgetRenewed', atMs, project, question: alert.question });
  }
  const known = alert?.day === day ? alert.level : 'fine';
  if (level === 'near' && known === 'fine') events.push({ type: 'BudgetNear', atMs, project, day, spent, limits });
  if (level === 'used' && known !== 'used') {
    events.push({ type: 'BudgetUsed', atMs, project, day, spent, limits, question: state.budgetQuestions + 1 });
  }
  return { events };
}

export function evolveBudget(state: SystemState, event: BudgetEvent): SystemState {
  const key = budgetKey(event.project);
  const budget = state.budgets.get(key);
  switch (event.type) {
    case 'BudgetSet':
      state.budgets.set(key, { project: event.project, limits: event.limits, alert: null });
      return state;
    case 'BudgetRemoved':
      state.budgets.delete(key);
      return state;
    case 'BudgetNear':
      return withAlert(state, budget, {
        day: event.day,
        level: 'near',
        spent: event.spent,
        told: false,
        question: null,
      });
    case 'BudgetUsed': {
      const { day, spent, question } = event;
      state.budgetQuestions = question;
      return withAlert(state, budget, { day, level: 'used', spent, told: false, question });
    }
    case 'BudgetTold':
      return withAlert(state, budget, budget?.alert && { ...budget.alert, told: true });
    case 'BudgetLeft':
      return withAlert(state, budget, budget?.alert && { ...budget.alert, question: null });
    case 'BudgetRenewed':
      return withAlert(state, budget, null);
  }
}

function withAlert(
  state: SystemState,
  budget: KeptBudget | undefined,
  alert: KeptBudget['alert'] | undefined,
): SystemState {
  if (budget && alert !== undefined) state.budgets.set(budgetKey(budget.project), { ...budget, alert });
  return state;
}

/** One question for each budget and day, however many runs wait. */
export function budgetInbox(event: BudgetEvent): InboxChange | undefined {
  if (event.type === 'BudgetUsed') {
    const question = `${usedReason(judgeBudget(event, event.spent))}. What a day may cost from now on?`;
    return {
      open: {
        key: itemKey(event.question),
        kind: 'limit',
        title: `limit reached (${event.project ?? 'all projects'})`,
        question,
      },
    };
  }
  return 'question' in event && event.question !== null ? { close: itemKey(event.question) } : undefined;
}

function itemKey(question: number): string {
  return `budget-${question}`;
}

/** Which question an item asks, if it is about a budget. */
export function budgetQuestion(key: string): number | undefined {
  const found = /^budget-(\d+)$/.exec(key)?.[1];
  return found === undefined ? undefined : Number(found);
}

export function askedBy({ budgets }: Pick<Budgets, 'budgets'>, question: number): KeptBudget | undefined {
  return [...budgets.values()].find(({ alert }) => alert?.question === question);
}

function closed(question: number): Outcome {
  return refuse('ITEM_CLOSED', `the question ${question} about a budget is over`);
}

import { SYSTEM_RUN } from '../../core/kernel/system-run.js';
import {
  budgetKey,
  dayBeginsMs,
  dayOf,
  type JudgedBudget,
  judgeBudgets,
  usedReason,
  usedWords,
} from '../../core/system/day-budget.js';
import type { BudgetCommand, SystemState } from '../../core/system/system-messages.js';
import type { Ports } from '../ports.js';
import { SpentToday } from '../projections/spent-today.js';
import type { StopSignal } from '../stop-signal.js';

type Surroundings = {
  ports: Ports;
  state(): Promise<SystemState | undefined>;
  send(command: BudgetCommand): Promise<unknown>;
  /** Resolves when the system run has changed, after a while, or when told to stop. */
  change(ms: number, signal: StopSignal): Promise<void>;
};

/** A raise is heard of at once; this is for a clock that was set, and for a process that could not be heard. */
const LOOK_AGAIN_MS = 30_000;
const LOOK_MS_MIN = 250;

/** Whether a project may spend today, for all processes on one store. What was spent is read from the log itself. */
export class BudgetGate {
  private readonly around: Surroundings;
  private readonly spent: SpentToday;

  constructor(around: Surroundings) {
    this.around = around;
    this.spent = new SpentToday(around.ports.store);
  }

  /** What stands in the way of spending, in words, and until when; undefined when nothing does. */
  async inTheWay(project: string): Promise<{ reason: string; untilMs: number } | undefined> {
    const budgets = (await this.around.state())?.budgets;
    if (!budgets || budgets.size === 0) return undefined;
    const nowMs = this.around.ports.clock.nowMs();
    const day = dayOf(nowMs);
    const judged = judgeBudgets(budgets, project, await this.spent.at(nowMs));
    for (const one of judged) await this.note(one, day);
    const used = judged.find(({ level }) => level === 'used');
    return used && { reason: usedReason(used), untilMs: dayBeginsMs(day + 1) };
  }

  /** Resolves when nothing is in the way any more; false when the signal said stop before. */
  async afford(project: string, signal: StopSignal): Promise<boolean> {
    while (!signal.aborted) {
      const inTheWay = await this.inTheWay(project);
      if (!inTheWay) return true;
      const waitMs = inTheWay.untilMs - this.around.ports.clock.nowMs();
      await this.around.change(Math.min(Math.max(waitMs, LOOK_MS_MIN), LOOK_AGAIN_MS), signal);
    }
    return false;
  }

  /** Said once a day; whoever could not be told is told by the next who looks. */
  private async note({ project, level, spent, limits }: JudgedBudget, day: number): Promise<void> {
    const alertOf = async () => (await this.around.state())?.budgets.get(budgetKey(project))?.alert;
    const atMs = this.around.ports.clock.nowMs();
    const known = await alertOf();
    const isKnown = known?.day === day ? known.level === level || known.level === 'used' : level === 'fine' && !known;
    if (!isKnown) await this.around.send({ type: 'NoteBudget', atMs, project, day, level, spent });
    const alert = isKnown ? known : await alertOf();
    if (alert?.day !== day || alert.told) return;
    void this.tell({ project, limits, spent: alert.spent }, day, alert.level).catch((problem) => {
      this.around.ports.log('warn', 'nobody was told of a budget', { project, problem: String(problem) });
    });
  }

  private async tell(budget: Omit<JudgedBudget, 'level'>, day: number, level: 'near' | 'used'): Promise<void> {
    const { notifier, clock } = this.around.ports;
    const { project } = budget;
    const title = level === 'used' ? `limit reached: ${usedWords(budget)}` : `nearly used up: ${usedWords(budget)}`;
    await notifier.notify(SYSTEM_RUN, { type: 'Notify', key: `budget-${budgetKey(project)}-${day}-${level}`, title });
    await this.around.send({ type: 'NoteBudgetTold', atMs: clock.nowMs(), project, day, level });
  }
}

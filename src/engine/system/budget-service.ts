import { SYSTEM_KIND, SYSTEM_RUN } from '../../core/kernel/system-run.js';
import {
  type DayLimits,
  dayBeginsMs,
  dayOf,
  type JudgedBudget,
  judgeBudget,
  usedDimension,
} from '../../core/system/day-budget.js';
import { askedBy } from '../../core/system/system-budgets.js';
import type { BudgetCommand, SystemState } from '../../core/system/system-messages.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { Machines } from '../machines.js';
import type { Clock, EventStore } from '../ports.js';
import { SpentToday } from '../projections/spent-today.js';
import { readRun } from '../read-run.js';
import type { Origin } from '../seal.js';

type Surroundings = { store: EventStore; clock: Clock; machines: Machines; engine: Engine };
type By = Pick<Origin, 'actor' | 'key'>;
const MICRO = 1_000_000;

/** What may be spent on a day; kept in the run `system`, with who has set it. */
export class BudgetService {
  private readonly around: Surroundings;
  private readonly spent: SpentToday;

  constructor(around: Surroundings) {
    this.around = around;
    this.spent = new SpentToday(around.store);
  }

  /** With what was spent of them today; the one of all first, then by name. */
  async list(): Promise<{ items: readonly JudgedBudget[]; resetsAtMs: number }> {
    const nowMs = this.around.clock.nowMs();
    const budgets = [...((await this.state())?.budgets.values() ?? [])];
    const spentBy = await this.spent.at(nowMs);
    const items = budgets
      .sort((one, other) => ((one.project ?? '') < (other.project ?? '') ? -1 : 1))
      .map((budget) => judgeBudget(budget, spentBy(budget.project)));
    return { items, resetsAtMs: dayBeginsMs(dayOf(nowMs) + 1) };
  }

  /** Null takes it away. */
  set(project: string | null, limits: DayLimits | null, by: By): Promise<void> {
    return this.send({ type: 'SetBudget', atMs: this.around.clock.nowMs(), project, limits }, by);
  }

  /** `total` in the unit people know: dollars, or tokens. */
  async raise(question: number, total: number, by: By): Promise<void> {
    const state = await this.state();
    const asked = state && askedBy(state, question);
    const ofTokens = asked?.alert && usedDimension({ limits: asked.limits, spent: asked.alert.spent }) === 'tokens';
    const exact = Math.round(ofTokens ? total : total * MICRO);
    await this.send({ type: 'RaiseBudget', atMs: this.around.clock.nowMs(), question, total: exact }, by);
  }

  leave(question: number, by: By): Promise<void> {
    return this.send({ type: 'LeaveBudget', atMs: this.around.clock.nowMs(), question }, by);
  }

  private async state(): Promise<SystemState | undefined> {
    const { store, machines } = this.around;
    return (await readRun(store, machines, SYSTEM_RUN))?.state as SystemState | undefined;
  }

  private async send(command: BudgetCommand, by: By): Promise<void> {
    orThrow(await this.around.engine.send(SYSTEM_RUN, command, by, { create: SYSTEM_KIND }));
  }
}

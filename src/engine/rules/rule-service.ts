import { BatonError } from '../../contracts/shared/errors.js';
import { SYSTEM_KIND, SYSTEM_RUN } from '../../core/kernel/system-run.js';
import type { ScopedRule, SystemCommand, SystemState } from '../../core/system/system-messages.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import { type BookSources, RuleBook } from './rule-book.js';

/** The rules, for whoever may also make and take back some. */
export class RuleService extends RuleBook {
  private readonly engine: Engine;

  constructor(sources: BookSources, engine: Engine) {
    super(sources);
    this.engine = engine;
  }

  async add(rule: ScopedRule, actor: string): Promise<number> {
    const { state } = await this.send({ type: 'AddRule', atMs: this.nowMs(), rule }, actor);
    const same = [...state.rules].findLast(([, kept]) => JSON.stringify(kept) === JSON.stringify(rule));
    return same?.[0] ?? state.rulings;
  }

  async remove(id: number, actor: string): Promise<void> {
    await this.send({ type: 'RemoveRule', atMs: this.nowMs(), id }, actor);
  }

  private async send(command: SystemCommand, actor: string): Promise<{ state: SystemState }> {
    const outcome = orThrow(await this.engine.send(SYSTEM_RUN, command, { actor }, { create: SYSTEM_KIND }));
    if (outcome.type === 'accepted') return { state: outcome.folded.state as SystemState };
    throw new BatonError('INTERNAL', `a rule was ${outcome.type}`);
  }
}

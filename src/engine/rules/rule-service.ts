import { BatonError } from '../../contracts/shared/errors.js';
import { SYSTEM_KIND, SYSTEM_RUN } from '../../core/kernel/system-run.js';
import type { ScopedRule, SystemCommand, SystemState } from '../../core/system/system-messages.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { Origin } from '../seal.js';
import { type BookSources, RuleBook } from './rule-book.js';

/** The rules, for whoever may also make and take back some. */
export class RuleService extends RuleBook {
  private readonly engine: Engine;

  constructor(sources: BookSources, engine: Engine) {
    super(sources);
    this.engine = engine;
  }

  /** Answers with the number of the rule. */
  async add(rule: ScopedRule, actor: string, key?: Origin['key']): Promise<number> {
    const numberIn = ({ rules, rulings }: SystemState): number =>
      [...rules].findLast(([, kept]) => JSON.stringify(kept) === JSON.stringify(rule))?.[0] ?? rulings;
    const origin = { actor, ...(key && { key, answer: (state: object) => String(numberIn(state as SystemState)) }) };
    const outcome = await this.send({ type: 'AddRule', atMs: this.nowMs(), rule }, origin);
    return outcome.type === 'repeated' ? Number(outcome.answer) : numberIn(outcome.folded.state as SystemState);
  }

  async remove(id: number, actor: string, key?: Origin['key']): Promise<void> {
    await this.send({ type: 'RemoveRule', atMs: this.nowMs(), id }, { actor, ...(key && { key }) });
  }

  private async send(command: SystemCommand, origin: Origin) {
    const outcome = orThrow(await this.engine.send(SYSTEM_RUN, command, origin, { create: SYSTEM_KIND }));
    if (outcome.type !== 'fenced') return outcome;
    throw new BatonError('INTERNAL', `a rule was ${outcome.type}`);
  }
}

import { BatonError } from '../../contracts/shared/errors.js';
import { isAsked, type LiveTask } from '../../core/task/task-state.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { OperatorService } from '../operator/operator-service.js';
import type { InboxRow, Ports } from '../ports.js';
import type { Origin } from '../seal.js';
import type { Answer } from './answer.js';
import { raisedTo } from './raised-to.js';

type By = Pick<Origin, 'actor' | 'key'>;

const OTHER_AGENT = /^\s*agent\s+(\S+)\s*$/;

/** Turns the answer to an item of a ledger into the command it means. Answers with what came of it, in words. */
export async function answerLedger(
  operator: OperatorService,
  { run, kind, item, key }: InboxRow,
  { decision, text, raise }: Answer,
  by: By,
): Promise<string> {
  const question = Number(/^blocker-(\d+)$/.exec(key)?.[1]);
  const { questions, order, spent } = await operator.state(run);
  if (!questions.has(question)) {
    throw new BatonError('ITEM_CLOSED', `item ${item} is over`, { item });
  }
  if (kind === 'limit') {
    if (raise === undefined) throw new BatonError('USAGE', `a limit takes --raise N: baton answer ${item} --raise N`);
    await operator.raise(run, raisedTo(order.limits, spent, raise), by);
    return `Raised; ${run} goes on.`;
  }
  if (kind === 'intervention') {
    if (decision !== 'approve') throw new BatonError('USAGE', 'say --approve when what is said is repaired');
    await operator.go(run, {}, by);
    return `${run} goes on.`;
  }
  if (decision === 'deny') {
    await operator.answer(run, question, { type: 'give-up' }, by);
    return 'Given up.';
  }
  const agent = text === undefined ? null : (OTHER_AGENT.exec(text)?.[1] ?? null);
  if (decision !== 'approve' || (text !== undefined && agent === null)) {
    throw new BatonError(
      'USAGE',
      `a blocker takes --approve to try again with twice the time, --approve --text "agent NAME" for another agent, or --deny`,
    );
  }
  if (agent !== null) await operator.knows(agent);
  await operator.answer(run, question, { type: 'again', agent, longer: agent === null }, by);
  return agent === null ? 'It is tried again, with twice the time.' : `${agent} tries it.`;
}

/** An agent of an attempt asks whether it may do something. */
export async function answerTask(
  { engine, ports }: { engine: Engine; ports: Ports },
  { run, item, key }: InboxRow,
  task: LiveTask,
  { decision, text, raise }: Answer,
  by: By,
): Promise<void> {
  const question = isAsked(task, key);
  if (question === null) throw new BatonError('ITEM_CLOSED', `item ${item} is over`, { item });
  if (decision === undefined || raise !== undefined) {
    throw new BatonError('USAGE', 'an agent asks whether it may: say --approve, or --deny with --guidance "…"');
  }
  const said = decision === 'approve' ? 'approved' : 'denied';
  const command = { type: 'Decide', atMs: ports.clock.nowMs(), question, decision: said, guidance: text ?? null };
  orThrow(await engine.send(run, command as { type: string }, by));
}

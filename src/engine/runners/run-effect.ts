import type { Effect, Notify, Tell } from '../../core/kernel/effect.js';
import { unreachable } from '../../core/kernel/unreachable.js';
import type { Context, Ran } from './context.js';
import { runAdmit } from './run-admit.js';
import { runAfford } from './run-afford.js';
import { runAsk } from './run-ask.js';
import { runAwait } from './run-await.js';
import { runChild } from './run-child.js';
import { runExec } from './run-exec.js';
import { runPerform } from './run-perform.js';
import { runWake } from './run-wake.js';

/** One runner per kind of effect, for all machines. */
export function runEffect(context: Context, effect: Effect): Promise<Ran> {
  switch (effect.type) {
    case 'Ask':
      return runAsk(context, effect);
    case 'Exec':
      return runExec(context, effect);
    case 'Perform':
      return runPerform(context, effect);
    case 'Wake':
      return runWake(context, effect);
    case 'Await':
      return runAwait(context, effect);
    case 'Tell':
      return runTell(context, effect);
    case 'Child':
      return runChild(context, effect);
    case 'Notify':
      return runNotify(context, effect);
    case 'Afford':
      return runAfford(context, effect);
    case 'Admit':
      return runAdmit(context, effect);
    default:
      return unreachable(effect);
  }
}

/** The key makes it arrive once, however often it is sent. */
async function runTell({ ports, run, tell }: Context, effect: Tell): Promise<Ran> {
  const command = { ...effect.command, atMs: ports.clock.nowMs() };
  const payload = ports.hasher.sha256(JSON.stringify(effect.command));
  const key = { scope: `tell:${effect.run}`, key: `${run}/${effect.key}`, payload };
  const outcome = await tell(effect.run, command, { actor: `run:${run}`, key });
  const refusal = outcome.type === 'refused' ? outcome.refusal : undefined;
  const atMs = ports.clock.nowMs();
  return {
    command: { type: 'Told', atMs, key: effect.key, accepted: !refusal, ...(refusal && { code: refusal.code }) },
  };
}

/** A notice that cannot be sent must not hold up the run: the question stands in the inbox either way. */
async function runNotify({ ports, run }: Context, notice: Notify): Promise<Ran> {
  try {
    await ports.notifier.notify(run, notice);
  } catch (problem) {
    ports.log('warn', 'a notice was not sent', { run, key: notice.key, problem: String(problem) });
  }
  return { command: { type: 'Notified', atMs: ports.clock.nowMs(), key: notice.key } };
}

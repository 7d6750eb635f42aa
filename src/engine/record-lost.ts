import type { EffectResult } from '../core/kernel/effect.js';
import { dispatch } from './dispatch.js';
import type { FoldedRun } from './folded-run.js';
import { leavesSomethingBehind } from './ownership.js';
import type { Ports, RunId } from './ports.js';
import type { RunCache } from './run-cache.js';

type Around = { ports: Ports; cache: RunCache; forget(run: RunId): Promise<void> };

/** Ends what an owner may have left under way in the world, and records it as lost. */
export async function recordLost({ ports, cache, forget }: Around, folded: FoldedRun, fence: number): Promise<void> {
  const { run, machine } = folded;
  const effects = [...machine.outstanding(folded.state)].filter(leavesSomethingBehind);
  for (const effect of effects) {
    const { key } = effect;
    if (!(await isOurs(ports, run, fence))) return forget(run);
    const attempt = effect.type === 'Ask' ? effect.attempt : undefined;
    const { thread, ...usage } = await ports.agents.endLeftover(run, key, attempt);
    const lost: EffectResult = { type: 'Lost', atMs: ports.clock.nowMs(), key, usage };
    const send = (result: EffectResult) => dispatch(ports, cache, run, result, { actor: 'engine' }, { fence });
    let outcome = await send(thread === undefined ? lost : { ...lost, thread });
    // A name that is too long to be kept names nothing that could be gone on with.
    if (outcome.type === 'refused' && outcome.refusal.code === 'PAYLOAD_TOO_LARGE') outcome = await send(lost);
    if (outcome.type === 'fenced') await forget(run);
    // Others wrote all the while, or we were stopped meanwhile. Handed back like this, it would simply be begun again.
    if (outcome.type === 'refused' && outcome.refusal.code === 'CONCURRENCY_CONFLICT') {
      throw new Error(`${key} of ${run} is lost, and that could not be written: ${outcome.refusal.reason}`);
    }
  }
}

/** Whoever was stopped for long may have lost the run: what runs now was started by its new owner. */
export async function isOurs({ store }: Pick<Ports, 'store'>, run: RunId, epoch: number): Promise<boolean> {
  return (await store.run(run))?.epoch === epoch;
}

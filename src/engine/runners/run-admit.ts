import type { Admit } from '../../core/kernel/effect.js';
import type { Context, Ran } from './context.js';

/**
 * Paths first, since whoever waits for them must not hold a place in the lane; the login last, since whoever has the
 * place may still find that it was lost meanwhile.
 */
export async function runAdmit(context: Context, { key, lane, rank, patient = true, locks }: Admit): Promise<Ran> {
  const { ports, run, lanes, system, signal } = context;
  if (locks && !(await system.lock(run, locks, signal))) return undefined;
  if (!(await lanes.admit(lane, run, rank, signal))) return undefined;
  const login = (await ports.agents.loginOf?.(lane)) ?? lane;
  if (!(await system.ready(login, { patient }, signal))) return undefined;
  return { command: { type: 'Admitted', atMs: ports.clock.nowMs(), key } };
}

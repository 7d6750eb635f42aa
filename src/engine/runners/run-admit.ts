import type { Admit } from '../../core/kernel/effect.js';
import { loginOf } from '../login-of.js';
import type { Context, Ran } from './context.js';

/**
 * Paths first, since whoever waits for them must not hold a place in a lane; whether the login is there last, since
 * whoever has the places may still find that it was lost meanwhile.
 */
export async function runAdmit(context: Context, { key, lane, rank, patient = true, locks }: Admit): Promise<Ran> {
  const { ports, run, lanes, logins, system, signal } = context;
  if (locks && !(await system.lock(run, locks, signal))) return undefined;
  if (!(await lanes.admit(lane, run, rank, signal))) return undefined;
  if (!(await logins.admit(lane, run, rank, signal))) return undefined;
  if (!(await system.ready(await loginOf(ports, lane), { patient }, signal))) return undefined;
  return { command: { type: 'Admitted', atMs: ports.clock.nowMs(), key } };
}

import type { Admit } from '../../core/kernel/effect.js';
import { loginOf } from '../login-of.js';
import type { Context, Ran } from './context.js';

/**
 * Money first, since whoever has none must not hold anything; then paths, since whoever waits for them must not hold a
 * place in a lane. Whether the login is there, and whether others have spent the rest, is looked at last: whoever has
 * the places may still find that it is gone meanwhile.
 */
export async function runAdmit(context: Context, admit: Admit): Promise<Ran> {
  const { key, lane, rank, patient = true, locks, room } = admit;
  const { ports, run, lanes, logins, system, signal } = context;
  const poor = await parked(context, admit);
  if (poor) return poor;
  if (locks && !(await system.lock(run, locks, signal))) return undefined;
  if (!(await lanes.admit(lane, run, rank, signal, room))) return undefined;
  if (!(await logins.admit(lane, run, rank, signal, room))) return undefined;
  if (!(await system.ready(await loginOf(ports, lane), { patient }, signal))) return undefined;
  return (await parked(context, admit)) ?? { command: { type: 'Admitted', atMs: ports.clock.nowMs(), key } };
}

async function parked({ ports, system }: Context, { key, pays }: Admit): Promise<Ran> {
  const inTheWay = pays === undefined ? undefined : await system.budgets.inTheWay(pays);
  return inTheWay && { command: { type: 'Parked', atMs: ports.clock.nowMs(), key, ...inTheWay } };
}

import type { Afford } from '../../core/kernel/effect.js';
import type { Context, Ran } from './context.js';

export async function runAfford({ ports, system, signal }: Context, { key, project }: Afford): Promise<Ran> {
  if (!(await system.budgets.afford(project, signal))) return undefined;
  return { command: { type: 'Afforded', atMs: ports.clock.nowMs(), key } };
}

import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { Identity } from '../route.js';

/** A token that acts for an agent works as that one and as nobody else. */
export function refuseOtherOwner({ name, agent }: Identity, owner: string): void {
  if (agent === null || agent === owner) return;
  throw new BatonError('FORBIDDEN', `${name} acts for ${agent}, not for ${owner}`, { needed: agent });
}

/** Nor speaks about a task that somebody else works on. */
export async function refuseOthersTask(
  { operator }: Pick<Baton, 'operator'>,
  who: Identity,
  run: string,
  task: unknown,
): Promise<void> {
  if (who.agent === null) return;
  const row = typeof task === 'string' ? (await operator.state(run)).tasks.get(task) : undefined;
  if (row?.status === 'in_progress') refuseOtherOwner(who, row.owner);
}

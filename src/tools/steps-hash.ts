import { createHash } from 'node:crypto';
import type { PlanStep } from '../contracts/generated/types/stage-plan.js';

/** Names exactly these steps: what was agreed to for others does not hold for them. */
export function stepsHash(steps: readonly PlanStep[]): string {
  const meant = steps.map(({ tool, params = {} }) => ({ tool, params }));
  return createHash('sha256').update(canonical(meant)).digest('hex');
}

/** JSON in which the order of keys, which means nothing, makes no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

import type { Delta } from '../generated/types/orchestrator-output.js';
import { canonicalJson } from '../shared/canonical-json.js';
import { type Denial, deny } from '../shared/verdict.js';

/** D2: the same delta_id again is a repeat, but only with the same content. `path` is where the list stands. */
export function sameKeySameContent(deltas: readonly Delta[], path: string): true | Denial {
  const seen = new Map<string, Delta>();
  for (const [index, delta] of deltas.entries()) {
    const earlier = seen.get(delta.delta_id);
    if (earlier && !sameContent(earlier, delta)) {
      return deny('KEY_REUSED', `delta_id ${JSON.stringify(delta.delta_id)} stands twice with different content`, {
        path: `${path}/${index}/delta_id`,
        delta_id: delta.delta_id,
      });
    }
    seen.set(delta.delta_id, delta);
  }
  return true;
}

/** D4: a delta for an unknown task may only create it. */
export function baseRowExists(known: Iterable<string>, deltas: readonly Delta[]): true | Denial {
  const rows = new Set(known);
  for (const [index, { task_id, status }] of deltas.entries()) {
    if (!rows.has(task_id) && status !== 'todo') {
      const reason = `${task_id} is not in the ledger, and status ${status} does not create it`;
      return deny('LEDGER_INCONSISTENT', reason, { path: `/ledger_delta/${index}`, issues: [{ task_id, reason }] });
    }
    rows.add(task_id);
  }
  return true;
}

/** Equal content whatever the order of keys; most repeats are equal to the letter. */
function sameContent(one: Delta, other: Delta): boolean {
  return JSON.stringify(one) === JSON.stringify(other) || canonicalJson(one) === canonicalJson(other);
}

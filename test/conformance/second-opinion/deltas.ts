/** Contract 003, "Ledger Delta Application Semantics". */

import { deltaFields, generated, known, status, taskId } from './common-shapes.js';
import { type Fields, type Finding, first, isFields, listOf, record, type Shape, unless } from './shapes.js';

export type Delta = Fields & { task_id: string; status: string; delta_id: string };

const singleDelta = record({ ...known, ...deltaFields, ...generated });
const deltaOnLedger = record({
  ...known,
  ledger: listOf(record({ task_id: taskId, status })),
  ledger_delta: listOf(record(deltaFields)),
  ...generated,
});

/** One delta, a list of them, or `{ledger, ledger_delta}`: the field `ledger_delta` tells the last from the first. */
function formOf(value: unknown): Shape {
  if (Array.isArray(value)) return listOf(singleDelta);
  return isFields(value) && 'ledger_delta' in value ? deltaOnLedger : singleDelta;
}

export const ledgerDeltaShape: Shape = {
  problem: (value) => formOf(value).problem(value),
  hasUnknown: (value) => formOf(value).hasUnknown(value),
};

export function ledgerDeltaOpinion(value: unknown): Finding {
  if (Array.isArray(value)) return keysUsedOnce(value);
  const input = value as Fields & { ledger: { task_id: string }[]; ledger_delta: Delta[] };
  if (!('ledger_delta' in input)) return undefined;
  return first(
    () => keysUsedOnce(input.ledger_delta),
    () => rowsExist(input.ledger, input.ledger_delta),
  );
}

/** D2: the same delta_id again is a repeat only with the same content. */
export function keysUsedOnce(deltas: readonly Delta[]): Finding {
  const reused = deltas.some((one) =>
    deltas.some((other) => one.delta_id === other.delta_id && !sameContent(one, other)),
  );
  return unless(!reused, 'KEY_REUSED');
}

/** D4: only `todo` creates a row. */
function rowsExist(ledger: readonly { task_id: string }[], deltas: readonly Delta[]): Finding {
  const lost = deltas.some((one, index) => {
    const before = [...ledger, ...deltas.slice(0, index)];
    return one.status !== 'todo' && !before.some((row) => row.task_id === one.task_id);
  });
  return unless(!lost, 'LEDGER_INCONSISTENT');
}

function sameContent(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, index) => sameContent(entry, other[index]));
  }
  if (isFields(one) && isFields(other)) {
    const [fields, others] = [Object.keys(one), Object.keys(other)];
    return fields.length === others.length && fields.every((f) => f in other && sameContent(one[f], other[f]));
  }
  return one === other;
}

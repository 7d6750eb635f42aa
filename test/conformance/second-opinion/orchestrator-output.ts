/** Contract 003, "Envelope: Orchestrator Output". */

import { assignmentOpinion } from './assignment.js';
import { blocker, deltaFields, generated, required } from './common-shapes.js';
import { type Delta, keysUsedOnce } from './deltas.js';
import { type Lock, lock, locksApart, locksNormal } from './locks.js';
import { anyObject, type Fields, type Finding, first, firstAmong, listOf, record, text, unless } from './shapes.js';

type Output = {
  run_id: string;
  ledger_delta: Delta[];
  assignments: Fields[];
  active_locks: Lock[];
  blockers: { code: string }[];
};

export const orchestratorOutputShape = record({
  ...required,
  ledger_delta: listOf(record(deltaFields)),
  assignments: listOf(anyObject),
  active_locks: listOf(lock),
  blockers: listOf(blocker),
  next_actions: listOf(text()),
  ...generated,
});

export function orchestratorOutputOpinion(value: unknown, strict: boolean, codes: ReadonlySet<string>): Finding {
  const output = value as Output;
  return first(
    () => keysUsedOnce(output.ledger_delta),
    () =>
      firstAmong(output.assignments, (packet) =>
        first(
          () => assignmentOpinion(packet, strict),
          () => unless(packet.run_id === output.run_id, 'NON_COMPLIANT'),
        ),
      ),
    () => codesKnown(output.blockers, codes),
    () => locksNormal(output.active_locks),
    () => locksApart(output.active_locks),
  );
}

export function codesKnown(blockers: readonly { code: string }[], codes: ReadonlySet<string>): Finding {
  return unless(
    blockers.every(({ code }) => codes.has(code)),
    'SCHEMA_INVALID',
  );
}

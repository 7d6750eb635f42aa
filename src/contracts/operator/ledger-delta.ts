import type { Delta } from '../generated/types/orchestrator-output.js';
import { validate, validateStrict } from '../generated/validators/ledger-delta.js';
import type { Contract } from '../shared/contract.js';
import { baseRowExists, sameKeySameContent } from './delta-rules.js';

type BaseRow = { task_id: string };
type DeltaOnLedger = { ledger: BaseRow[]; ledger_delta: Delta[] };
export type LedgerDeltaInput = Delta | Delta[] | DeltaOnLedger;

/** Contract 003, "Ledger Delta Application Semantics": one delta, many, or many with the ledger they are for. */
export const ledgerDelta: Contract<LedgerDeltaInput> = {
  name: 'ledger-delta',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [
    (input) => sameKeySameContent(deltasOf(input), Array.isArray(input) ? '' : '/ledger_delta'),
    (input) =>
      !('ledger_delta' in input) ||
      baseRowExists(
        (input as DeltaOnLedger).ledger.map(({ task_id }) => task_id),
        deltasOf(input),
      ),
  ],
};

export function deltasOf(input: LedgerDeltaInput): readonly Delta[] {
  if (Array.isArray(input)) return input;
  return 'ledger_delta' in input ? (input as DeltaOnLedger).ledger_delta : [input as Delta];
}

import type { LedgerOrderBody } from '../generated/types/ledger-order.js';
import { validate, validateStrict } from '../generated/validators/ledger-order.js';
import type { Contract } from '../shared/contract.js';
import { deny } from '../shared/verdict.js';

export const ledgerOrder: Contract<LedgerOrderBody> = {
  name: 'ledger-order',
  validate,
  validateStrict,
  rules: [
    ({ plan, handoff }) =>
      (plan === undefined) !== (handoff === undefined) ||
      deny('MISSING_REQUIRED_INPUT', 'either /plan or /handoff is needed, not both', { path: '/plan' }),
    ({ repo }) =>
      isPlain(repo) ||
      deny('SCHEMA_INVALID', '/repo must be a path without `..` and control characters', { path: '/repo' }),
  ],
};

/** Whoever reads it in the ledger sees where it leads. */
function isPlain(folder: string): boolean {
  return !folder.split('/').includes('..') && !/\p{Cc}/u.test(folder);
}

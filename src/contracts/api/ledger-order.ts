import type { LedgerOrderBody } from '../generated/types/ledger-order.js';
import { validate, validateStrict } from '../generated/validators/ledger-order.js';
import type { Contract } from '../shared/contract.js';
import { deny } from '../shared/verdict.js';

export const ledgerOrder: Contract<LedgerOrderBody> = {
  name: 'ledger-order',
  validate,
  validateStrict,
  rules: [
    ({ plan, handoff, objective }) =>
      [plan, handoff, objective].filter((one) => one !== undefined).length === 1 ||
      deny('MISSING_REQUIRED_INPUT', 'one of /plan, /handoff and /objective is needed, and only one', {
        path: '/plan',
      }),
    ({ repo }) =>
      isPlain(repo) ||
      deny('SCHEMA_INVALID', '/repo must be a path without `..` and control characters', { path: '/repo' }),
  ],
};

/** Whoever reads it in the ledger sees where it leads. */
function isPlain(folder: string): boolean {
  return !folder.split('/').includes('..') && !/\p{Cc}/u.test(folder);
}

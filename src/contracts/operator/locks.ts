import type { LockTable } from '../generated/types/locks.js';
import { validate, validateStrict } from '../generated/validators/locks.js';
import type { Contract } from '../shared/contract.js';
import { locksApart, normalisable } from './scope-rules.js';

/** Contract 003: active locks of different tasks never overlap. */
export const locks: Contract<LockTable> = {
  name: 'locks',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [
    (table) =>
      normalisable(
        table.locks.map(({ resource }) => resource),
        '/locks',
      ),
    (table) => locksApart(table.locks, '/locks'),
  ],
};

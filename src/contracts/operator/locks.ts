import type { LockTable } from '../generated/types/locks.js';
import { validate, validateStrict } from '../generated/validators/locks.js';
import type { Contract } from '../shared/contract.js';
import { locksApart, resourcesNormalise } from './scope-rules.js';

/** Contract 003: active locks of different tasks never overlap. */
export const locks: Contract<LockTable> = {
  name: 'locks',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [(table) => resourcesNormalise(table.locks, '/locks'), (table) => locksApart(table.locks, '/locks')],
};

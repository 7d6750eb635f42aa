import type { RecoveryPoint } from '../generated/types/recovery-point.js';
import { validate, validateStrict } from '../generated/validators/recovery-point.js';
import type { Contract } from '../shared/contract.js';
import { refusePath } from '../shared/relative-path.js';
import { firstDenial } from '../shared/untrusted-text.js';

/** Contract 000, "Recovery Checkpoint System": both shapes of the document are one record. */
export const recoveryPoint: Contract<RecoveryPoint> = {
  name: 'recovery-point',
  validate,
  validateStrict,
  rules: [
    ({ rollback_files = [] }) =>
      firstDenial(rollback_files.map((file, index) => refusePath(file, `/rollback_files/${index}`))),
  ],
};

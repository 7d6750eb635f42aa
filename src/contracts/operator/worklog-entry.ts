import type { WorklogEntry } from '../generated/types/worklog-entry.js';
import { validate, validateStrict } from '../generated/validators/worklog-entry.js';
import type { Contract } from '../shared/contract.js';
import { isErrorCode } from '../shared/errors.js';
import { firstDenial, refuseControl, refuseSecret } from '../shared/untrusted-text.js';
import { unknownCode } from './blocker-rules.js';
import { normalisable } from './scope-rules.js';

const TEXT_FIELDS = ['actor', 'action', 'decision', 'result', 'next_step', 'evidence'] as const;
const UNTRUSTED_FIELDS = ['decision', 'result'] as const;

/** Contract 003, "Artifact: Worklog Entry". */
export const worklogEntry: Contract<WorklogEntry> = {
  name: 'worklog-entry',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [
    ({ files_touched }) => normalisable(files_touched, (index) => `/files_touched/${index}`),
    ({ code }) => code === undefined || isErrorCode(code) || unknownCode(code, '/code'),
    (entry) => firstDenial(TEXT_FIELDS.map((field) => refuseSecret(entry[field] ?? '', `/${field}`))),
    ({ files_touched }) =>
      firstDenial(files_touched.map((file, index) => refuseSecret(file, `/files_touched/${index}`))),
    (entry) => firstDenial(UNTRUSTED_FIELDS.map((field) => refuseControl(entry[field], `/${field}`))),
  ],
};

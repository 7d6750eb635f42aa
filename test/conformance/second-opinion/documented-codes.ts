/** The codes that the documents name for contract 003. A later release may know more; none of these may go. */
export const DOCUMENTED_CODES: ReadonlySet<string> = new Set([
  'SCHEMA_INVALID',
  'MISSING_REQUIRED_INPUT',
  'UNKNOWN_SCHEMA_VERSION',
  'LOCK_CONFLICT',
  'SCOPE_VIOLATION',
  'ACCEPTANCE_FAILED',
  'UNTRUSTED_CONTEXT_BLOCK',
  'LEDGER_INCONSISTENT',
  'TASK_TIMEOUT',
  'CONCURRENCY_CONFLICT',
  'KEY_REUSED',
  'NON_COMPLIANT',
  'MISSING_VALIDATOR',
]);

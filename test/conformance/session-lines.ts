import { readFileSync } from 'node:fs';
import type { ContractName } from '../../src/contracts/contract-names.js';

/** Where the lines of a contract lie; only those of sessions are examples line by line. */
export const SESSION_FILES: Partial<Record<ContractName, string>> = {
  submission: 'examples/session/submissions.ndjson',
  event: 'examples/session/events.ndjson',
};

export function sessionLinesOf(contract: ContractName): string[] {
  const file = SESSION_FILES[contract];
  if (file === undefined) return [];
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
}

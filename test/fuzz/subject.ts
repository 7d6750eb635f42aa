/** What is fuzzed, as the harness sees it: so that a test can put a bug in between. */

import { CONTRACTS } from '../../src/contracts/catalogue.js';
import type { ContractName } from '../../src/contracts/contract-names.js';
import { type Contract, checkAgainst, checkText } from '../../src/contracts/shared/contract.js';
import { BYTES_MAX } from '../../src/contracts/shared/read-json.js';
import type { Verdict } from '../../src/contracts/shared/verdict.js';

export type Subject = {
  judge(contract: ContractName, payload: string | Uint8Array, strict: boolean): Verdict;
  judgeAgainst(result: unknown, assignment: unknown): Verdict;
};

export const baton: Subject = {
  judge: (contract, payload, strict) => checkText(CONTRACTS[contract], payload, { strict }),
  judgeAgainst: (result, assignment) =>
    checkAgainst(CONTRACTS['subagent-result'] as Contract<unknown>, result, assignment),
};

export function bytesMaxOf(contract: ContractName): number {
  return CONTRACTS[contract].bytesMax ?? BYTES_MAX;
}

/** Without rules a contract is its schema, and plain Ajv must agree in both directions. */
export function isOnlySchema(contract: ContractName): boolean {
  return CONTRACTS[contract].rules.length === 0;
}

/** What must hold for every input whatever it is. Each oracle answers with a complaint, or with nothing. */

import type { ContractName } from '../../src/contracts/contract-names.js';
import { ERRORS, isErrorCode } from '../../src/contracts/shared/errors.js';
import type { Verdict } from '../../src/contracts/shared/verdict.js';
import { secondReading } from '../conformance/second-opinion/reading.js';
import {
  OPERATOR_CONTRACTS,
  type OperatorContract,
  secondOpinion,
  secondOpinionAgainst,
} from '../conformance/second-opinion/second-opinion.js';
import type { PlainJudges } from './plain-ajv.js';
import { bytesMaxOf, isOnlySchema, type Subject } from './subject.js';

export type Complaint = {
  readonly oracle: string;
  readonly contract: ContractName;
  readonly strict: boolean;
  readonly baton: string;
  readonly expected: string;
  /** The value as it was read, where it could be read. */
  readonly value: unknown;
};

/** A payload of a contract; a result comes with the assignment it is held against. */
export type Asked = {
  readonly contract: ContractName;
  readonly payload: string | Uint8Array;
  readonly packet: unknown;
};

export type Judged = { readonly verdict: Verdict | undefined; readonly complaints: readonly Complaint[] };

const CODES: ReadonlySet<string> = new Set(Object.keys(ERRORS));
/** The second opinion looks at every pair of everything: beyond this many bytes that takes too long. */
const SECOND_OPINION_BYTES_MAX = 40_000;

export function judgeInput({ contract, payload, packet }: Asked, subject: Subject, plain: PlainJudges): Judged {
  const complaints: Complaint[] = [];
  const reading = secondReading(payload, bytesMaxOf(contract));
  const value = 'value' in reading ? reading.value : undefined;
  const judged = [false, true].map((strict) => {
    const complain = (oracle: string, baton: string, expected: string) =>
      complaints.push({ oracle, contract, strict, baton, expected, value });
    const verdict = judgeSafely(() => subject.judge(contract, payload, strict), complain);
    if (!verdict) return undefined;
    if ('code' in reading) {
      if (verdict.code !== reading.code) complain('reading', verdict.code, reading.code);
      return verdict;
    }
    compareWithAjv(contract, strict, verdict, value, plain, complain);
    if (isOperatorContract(contract) && payload.length <= SECOND_OPINION_BYTES_MAX) {
      const opinion = secondOpinion(contract, value, strict, CODES);
      if (opinion !== verdict.code) complain('second opinion', verdict.code, opinion);
    }
    return verdict;
  });
  const [normal, strict] = judged;
  if (strict?.allow && !normal?.allow) {
    const [baton, expected] = ['strict accepts', 'normal accepts too'];
    complaints.push({ oracle: 'strict is stricter', contract, strict: true, baton, expected, value });
  }
  if (contract === 'subagent-result' && normal?.allow) {
    complaints.push(...compareAgainst(subject, value, packet));
  }
  return { verdict: normal, complaints };
}

type Complain = (oracle: string, baton: string, expected: string) => void;

function judgeSafely(judge: () => Verdict, complain: Complain): Verdict | undefined {
  let verdict: Verdict;
  try {
    verdict = judge();
  } catch (failure) {
    complain('never throws', `threw ${String(failure)}`, 'a verdict');
    return undefined;
  }
  if (!isWellFormed(verdict)) complain('well-formed', JSON.stringify(verdict), '{allow, code, reason, details?}');
  if (verdict.code === 'VALIDATOR_FAILED') complain('validator failed', verdict.reason, 'a verdict about the payload');
  return verdict;
}

function isWellFormed({ allow, code, reason, details, ...more }: Verdict): boolean {
  const codeFits = allow === true ? code === 'OK' : allow === false && isErrorCode(code);
  const detailsFit = details === undefined || (typeof details === 'object' && details !== null);
  return codeFits && typeof reason === 'string' && reason !== '' && detailsFit && Object.keys(more).length === 0;
}

function compareWithAjv(
  contract: ContractName,
  strict: boolean,
  verdict: Verdict,
  value: unknown,
  plain: PlainJudges,
  complain: Complain,
): void {
  const judge = plain.get(contract);
  if (!judge) throw new Error(`no schema of ${contract}`);
  const accepts = judge.accepts(value) && (!strict || judge.acceptsStrictly(value));
  if (verdict.allow && !accepts) complain('plain Ajv', 'accepts', 'refuses');
  if (verdict.allow || !accepts || !isOnlySchema(contract)) return;
  // Ajv's own bookkeeping of strict mode takes inherited names for known ones.
  if (!strict || !holdsInheritedName(value)) complain('plain Ajv', verdict.code, 'accepts');
}

function holdsInheritedName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => name in {} || holdsInheritedName(inner));
}

function compareAgainst(subject: Subject, result: unknown, assignment: unknown): Complaint[] {
  const complaints: Complaint[] = [];
  const complain: Complain = (oracle, baton, expected) =>
    complaints.push({ oracle, contract: 'subagent-result', strict: false, baton, expected, value: result });
  const verdict = judgeSafely(() => subject.judgeAgainst(result, assignment), complain);
  const opinion = secondOpinionAgainst(result, assignment);
  if (verdict && verdict.code !== opinion) complain('against the assignment', verdict.code, opinion);
  return complaints;
}

function isOperatorContract(contract: ContractName): contract is OperatorContract {
  return (OPERATOR_CONTRACTS as readonly string[]).includes(contract);
}

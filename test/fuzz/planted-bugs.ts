/** Bugs put between the harness and Baton: a harness that never complains about them proves nothing. */

import { CONTRACTS } from '../../src/contracts/catalogue.js';
import { check } from '../../src/contracts/shared/contract.js';
import type { Verdict } from '../../src/contracts/shared/verdict.js';
import { baton, type Subject } from './subject.js';

type Judge = Subject['judge'];

const allowed: Verdict = { allow: true, code: 'OK', reason: 'planted' };

function withJudge(judge: Judge): Subject {
  return { ...baton, judge };
}

/** Lets everything pass that Baton refuses at a place that `pattern` describes. */
function deafTo(pattern: RegExp): Subject {
  return withJudge((contract, payload, strict) => {
    const verdict = baton.judge(contract, payload, strict);
    return pattern.test(`${verdict.code} ${verdict.reason}`) ? allowed : verdict;
  });
}

export const PLANTED_BUGS: Record<string, Subject> = {
  'the heartbeat rule is skipped': deafTo(/is not below timeout_seconds/),

  'duplicate keys are taken as JSON.parse takes them': withJudge((contract, payload, strict) => {
    const verdict = baton.judge(contract, payload, strict);
    if (verdict.details?.problem !== 'duplicate-key') return verdict;
    const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
    try {
      return check(CONTRACTS[contract], JSON.parse(text), { strict });
    } catch {
      return verdict;
    }
  }),

  'strict mode is not strict': withJudge((contract, payload) => baton.judge(contract, payload, false)),

  'strict mode is all there is': withJudge((contract, payload) => baton.judge(contract, payload, true)),

  'locks that overlap are not noticed': deafTo(/^LOCK_CONFLICT/),

  'a foreign version is called malformed': withJudge((contract, payload, strict) => {
    const verdict = baton.judge(contract, payload, strict);
    return verdict.code === 'UNKNOWN_SCHEMA_VERSION' ? { ...verdict, code: 'SCHEMA_INVALID' } : verdict;
  }),

  'bytes that are not UTF-8 are repaired': withJudge((contract, payload, strict) =>
    baton.judge(contract, typeof payload === 'string' ? payload : new TextDecoder().decode(payload), strict),
  ),

  'a validator throws': withJudge((contract, payload, strict) => {
    const verdict = baton.judge(contract, payload, strict);
    if (verdict.code === 'LEDGER_INCONSISTENT') throw new TypeError('planted');
    return verdict;
  }),

  'a result is never held against its assignment': { ...baton, judgeAgainst: () => allowed },
};

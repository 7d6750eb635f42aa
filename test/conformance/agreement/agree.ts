/**
 * Makes packets of contract 003, has Baton and the second opinion judge each, and counts where they differ.
 * Run it with `npm run agree`; the short version runs with the tests.
 */

import { ERRORS } from '../../../src/contracts/shared/errors.js';
import type { Verdict } from '../../../src/contracts/shared/verdict.js';
import { Random } from '../../fuzz/random.js';
import { baton, bytesMaxOf, type Subject } from '../../fuzz/subject.js';
import { secondReading } from '../second-opinion/reading.js';
import {
  OPERATOR_CONTRACTS,
  type OperatorContract,
  secondOpinion,
  secondOpinionAgainst,
} from '../second-opinion/second-opinion.js';
import { pointsInto } from './points-into.js';
import { twist } from './twists.js';
import { assignment, resultFor, VALID_PACKETS } from './valid-packets.js';

/** Results are judged twice: by themselves, and against the assignment they answer. */
export type Judgement = OperatorContract | 'result-against-assignment';
export const JUDGEMENTS: readonly Judgement[] = [...OPERATOR_CONTRACTS, 'result-against-assignment'];

export type Disagreement = {
  number: number;
  judgement: Judgement;
  strict: boolean;
  baton: string;
  expected: string;
  packet: string;
};
export type Tally = { packets: number; allowed: number; refused: Record<string, number>; disagreements: number };
export type AgreeReport = {
  seed: number;
  tallies: Record<Judgement, Tally>;
  disagreements: Disagreement[];
  seconds: number;
};
export type AgreeOptions = { seed: number; packets: number; from?: number; subject?: Subject };

const CODES: ReadonlySet<string> = new Set(Object.keys(ERRORS));
/** Enough to see what is wrong; all are counted. */
const SHOWN_MAX = 20;

export function agree({ seed, packets, from = 0, subject = baton }: AgreeOptions): AgreeReport {
  const started = performance.now();
  const tallies = Object.fromEntries(
    JUDGEMENTS.map((judgement) => [judgement, { packets: 0, allowed: 0, refused: {}, disagreements: 0 }]),
  ) as unknown as Record<Judgement, Tally>;
  const disagreements: Disagreement[] = [];
  for (let number = from; number < from + packets; number += 1) {
    // One after the other, so that each gets its share.
    const judgement = JUDGEMENTS[number % JUDGEMENTS.length] as Judgement;
    const { verdict, found } = judged(judgement, seed, number, subject);
    const tally = tallies[judgement];
    tally.packets += 1;
    if (verdict === 'OK') tally.allowed += 1;
    else tally.refused[verdict] = (tally.refused[verdict] ?? 0) + 1;
    if (!found) continue;
    tally.disagreements += 1;
    if (disagreements.length < SHOWN_MAX) disagreements.push(found);
  }
  return { seed, tallies, disagreements, seconds: (performance.now() - started) / 1000 };
}

type Judged = { verdict: string; found: Disagreement | undefined };

function judged(judgement: Judgement, seed: number, number: number, subject: Subject): Judged {
  const random = new Random(seed, number);
  const strict = random.chance(0.3);
  const { packet, opinion, ask } =
    judgement === 'result-against-assignment'
      ? againstCase(random, subject)
      : aloneCase(judgement, random, strict, subject);
  const verdict = answerOf(ask);
  const said = typeof verdict === 'string' ? verdict : complaintAbout(verdict, packet);
  const found = { number, judgement, strict, baton: said, expected: opinion, packet: JSON.stringify(packet) };
  return { verdict: said, found: said === opinion ? undefined : found };
}

type Case = { packet: unknown; opinion: string; ask: () => Verdict };

function aloneCase(contract: OperatorContract, random: Random, strict: boolean, subject: Subject): Case {
  const holder = { root: VALID_PACKETS[contract](random) };
  twist(random, holder, howOften(random));
  const text = JSON.stringify(holder.root);
  const reading = secondReading(text, bytesMaxOf(contract));
  const opinion = 'code' in reading ? reading.code : secondOpinion(contract, reading.value, strict, CODES);
  return { packet: holder.root, opinion, ask: () => subject.judge(contract, text, strict) };
}

/** Both must be valid by themselves: a twist that breaks the result is taken back. */
function againstCase(random: Random, subject: Subject): Case {
  const packet = assignment(random);
  let result: unknown = resultFor(random, random.chance(0.95) ? packet : assignment(random));
  for (let tries = 2 * howOften(random); tries > 0; tries -= 1) {
    const holder = { root: structuredClone(result) };
    twist(random, holder, 1);
    if (secondOpinion('subagent-result', holder.root, false, CODES) === 'OK') result = holder.root;
  }
  return {
    packet: result,
    opinion: secondOpinionAgainst(result, packet),
    ask: () => subject.judgeAgainst(result, packet),
  };
}

/** One in five is left as it is, so that valid packets are seen to be taken. */
function howOften(random: Random): number {
  return random.pick([0, 1, 1, 2, 3]);
}

function answerOf(ask: () => Verdict): Verdict | string {
  try {
    return ask();
  } catch (failure) {
    return `threw ${String(failure)}`;
  }
}

/** The code, or what is wrong with the verdict itself: a path in it must lead somewhere. */
function complaintAbout({ allow, code, details }: Verdict, packet: unknown): string {
  if (allow !== (code === 'OK')) return `allow ${allow} with ${code}`;
  const path = details?.path;
  return path === undefined || pointsInto(String(path), packet) ? code : `${code} at ${String(path)}, which is nowhere`;
}

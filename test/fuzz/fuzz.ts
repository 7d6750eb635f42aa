/**
 * The fuzzer: makes inputs, has Baton judge them, and compares each verdict with what others think of the input.
 * Run it with `node tools/fuzz.mjs --inputs 1000000 --seed 1`; the short version runs with the tests.
 */

import type { Corpus } from './corpus.js';
import { type Input, inputOf } from './inputs.js';
import { type Complaint, judgeInput } from './oracles.js';
import type { PlainJudges } from './plain-ajv.js';
import { shrink } from './shrink.js';
import { baton, type Subject } from './subject.js';

export type FuzzOptions = {
  corpus: Corpus;
  plain: PlainJudges;
  seed: number;
  inputs: number;
  /** Where to begin: to repeat one input, give its number and `inputs: 1`. */
  from?: number;
  subject?: Subject;
};

export type Failure = {
  seed: number;
  input: Input;
  complaint: Complaint;
  smallest: string | Uint8Array;
};

type Slow = { micros: number; contract: string; bytes: number; input: number };

export type FuzzReport = {
  seed: number;
  inputs: number;
  accepted: number;
  refused: Record<string, number>;
  slowest: Slow;
  /** Verdicts that took longer than SLOW_MICROS, at best of three. */
  slow: number;
  seconds: number;
  failure?: Failure;
};

export function fuzz(options: FuzzOptions): FuzzReport {
  const { corpus, plain, seed, inputs, from = 0, subject = baton } = options;
  const timed = new Stopwatch(subject);
  const report: FuzzReport = {
    ...{ seed, inputs: 0, accepted: 0, refused: {}, slow: 0, seconds: 0 },
    slowest: { micros: 0, contract: '', bytes: 0, input: 0 },
  };
  const started = performance.now();
  for (let number = from; number < from + inputs && !report.failure; number += 1) {
    const input = inputOf(corpus, seed, number);
    const { verdict, complaints } = judgeInput(input, timed.subject, plain);
    report.inputs += 1;
    if (verdict?.allow) report.accepted += 1;
    else count(report.refused, verdict?.code ?? 'none');
    noteTime(report, input, timed, () => judgeInput(input, timed.subject, plain));
    const [complaint] = complaints;
    if (complaint) report.failure = { seed, input, complaint, smallest: smallestLike(complaint, input, options) };
  }
  report.seconds = (performance.now() - started) / 1000;
  return report;
}

const TIMED_AGAIN = 2;
/** TRUST.md: no payload may take longer. */
export const SLOW_MICROS = 50_000;

/** Times only what is fuzzed, not the judges beside it. */
class Stopwatch {
  private micros = 0;
  readonly subject: Subject;

  constructor(subject: Subject) {
    this.subject = {
      judgeAgainst: subject.judgeAgainst,
      judge: (contract, payload, strict) => {
        const started = performance.now();
        try {
          return subject.judge(contract, payload, strict);
        } finally {
          this.micros = Math.max(this.micros, (performance.now() - started) * 1000);
        }
      },
    };
  }

  takeMicros(): number {
    const { micros } = this;
    this.micros = 0;
    return micros;
  }
}

/** A slow verdict is timed again and the best time counts: a busy machine is no property of the payload. */
function noteTime(report: FuzzReport, input: Input, timed: Stopwatch, again: () => unknown): void {
  const bound = Math.min(report.slowest.micros, SLOW_MICROS);
  let micros = timed.takeMicros();
  for (let times = 0; times < TIMED_AGAIN && micros > bound; times += 1) {
    again();
    micros = Math.min(micros, timed.takeMicros());
  }
  if (micros > SLOW_MICROS) report.slow += 1;
  if (micros <= report.slowest.micros) return;
  const { contract, payload, number } = input;
  report.slowest = { micros: Math.round(micros), contract, bytes: payload.length, input: number };
}

function smallestLike(complaint: Complaint, input: Input, options: FuzzOptions): string | Uint8Array {
  const { plain, subject = baton } = options;
  return shrink(input.payload, (payload) => {
    const { complaints } = judgeInput({ ...input, payload }, subject, plain);
    const { oracle, strict, baton: said, expected } = complaint;
    return complaints.some(
      (other) =>
        other.oracle === oracle && other.strict === strict && other.baton === said && other.expected === expected,
    );
  });
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

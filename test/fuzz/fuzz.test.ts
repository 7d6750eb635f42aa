import { describe, expect, test } from 'vitest';
import { loadCorpus } from './corpus.js';
import { describeReport } from './describe-report.js';
import { type FuzzReport, fuzz } from './fuzz.js';
import { plainJudges } from './plain-ajv.js';
import { PLANTED_BUGS } from './planted-bugs.js';
import { baton, type Subject } from './subject.js';

const corpus = loadCorpus(new URL('../../', import.meta.url));
const plain = plainJudges(corpus.schemas);

const SHORT_RUN = 10_000;
const FIXED_SEED = 20_260_730;
const FRESH_SEED = Date.now() % 2 ** 31;

function run(seed: number, inputs: number, subject: Subject = baton): FuzzReport {
  return fuzz({ corpus, plain, seed, inputs, subject });
}

/** Thrown rather than compared: the report is what somebody who looks at the failure needs. */
function expectAgreement(report: FuzzReport): void {
  if (report.failure) throw new Error(describeReport(report));
}

describe('whatever is sent, Baton and its independent judges agree', () => {
  test.each([
    ['a fixed seed', FIXED_SEED],
    ['a fresh seed', FRESH_SEED],
  ])('with %s', (_about, seed) => {
    const report = run(seed, SHORT_RUN);
    console.log(describeReport(report));
    expectAgreement(report);
    expect(report.inputs).toBe(SHORT_RUN);
    expect(report.accepted, 'inputs must get past the schema, else the rules are not tried').toBeGreaterThan(1000);
    expect(Object.keys(report.refused).length, 'and must fail for many reasons').toBeGreaterThanOrEqual(8);
  });

  test('the same seed gives the same verdicts', () => {
    const counts = ({ accepted, refused }: FuzzReport) => ({ accepted, refused });
    expect(counts(run(1, 500))).toEqual(counts(run(1, 500)));
    expect(counts(run(1, 500))).not.toEqual(counts(run(2, 500)));
  });

  test('one input can be made again without those before it', () => {
    const whole = run(7, 50);
    const [half, rest] = [run(7, 25), fuzz({ corpus, plain, seed: 7, inputs: 25, from: 25 })];
    expect(half.accepted + rest.accepted).toBe(whole.accepted);
  });
});

describe('the harness catches a planted bug within the short run:', () => {
  test.each(Object.entries(PLANTED_BUGS))('%s', (_name, subject) => {
    const { failure } = run(FIXED_SEED, SHORT_RUN, subject);
    expect(failure).toBeDefined();
    const original = failure?.input.payload.length ?? 0;
    expect(failure?.smallest.length, 'and makes it smaller').toBeLessThanOrEqual(original);
  });
});

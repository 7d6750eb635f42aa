import fc from 'fast-check';
import { pipeline as contract } from '../../src/contracts/envelope/pipeline.js';
import type { Pipeline } from '../../src/contracts/generated/types/pipeline.js';
import { check } from '../../src/contracts/shared/contract.js';
import type { StageError } from '../../src/core/envelope/stage-end.js';

const STAGES_MAX = 6;
/** Keys whose outputs mean something, and some that do not. */
const KEYS = ['intent', 'plan', 'a', 'critic', 'b', 'c'];
const VERDICTS = ['approved', 'reintent', 'next_stage'];

/** Valid pipelines: chains with ways forward and back, branches, joins, requirements, questions, tools and failures. */
export const arbitraryPipeline: fc.Arbitrary<Pipeline> = fc
  .integer({ min: 1, max: STAGES_MAX })
  .chain((count) =>
    fc.record(
      {
        name: fc.constant('random'),
        stages: fc.tuple(...Array.from({ length: count }, (_, index) => arbitraryStage(index, count))),
        max_critic_fires: fc.nat(3),
      },
      { requiredKeys: ['name', 'stages'] },
    ),
  )
  .filter((made) => check(contract, made).allow)
  .map((made) => made as unknown as Pipeline);

function arbitraryStage(index: number, count: number): fc.Arbitrary<object> {
  const names = Array.from({ length: count }, (_, other) => `s${other}`);
  const earlier = names.slice(0, index);
  const forward = [...names.slice(index + 1), 'end'];
  const anywhere = fc.constantFrom(...names, 'end', 'clarification', 'confirmation');
  const rule = fc.oneof(
    fc.record({ field: fc.constant('go.to'), equals: fc.constantFrom(0, 1, false, null), to: anywhere }),
    fc.record({ field: fc.constant('verdict'), equals: fc.constantFrom(...VERDICTS), to: anywhere }),
  );
  const answerer: Record<string, fc.Arbitrary<unknown>> = index % 3 === 2
    ? { tools: fc.constant(['read_file']) }
    : { agent: fc.constantFrom('a', 'b') };
  const optional = {
    rules: fc.array(rule, { maxLength: 3 }),
    error_next: anywhere,
    join: fc.constantFrom('all', 'any'),
    after: index === 0 ? fc.constant([]) : fc.subarray(earlier, { maxLength: Math.min(2, index) }),
    requires: fc.subarray(KEYS.slice(0, index), { maxLength: Math.min(1, index) }),
    ...answerer,
  };
  const next = fc.oneof({ weight: 3, arbitrary: fc.constant(forward[0]) }, fc.constantFrom(...forward));
  const known = { name: fc.constant(`s${index}`), output_key: fc.constant(KEYS[index]), default_next: next };
  return fc.record({ ...known, ...optional }, { requiredKeys: ['name', 'output_key', 'default_next'] });
}

/** What a stage does when it is run for the so-manieth time. */
export type StageDeed =
  | { does: 'answers'; output: Record<string, unknown>; firstIsBad: boolean }
  | { does: 'talks' }
  | { does: 'fails'; recoverable: boolean }
  | { does: 'asks' }
  /** Of tools: some steps failed, and the others did not. */
  | { does: 'breaks'; errors: readonly StageError[] };

const GOALS = ['g1', 'g2', 'toString', 'g1'];
const output = fc.record(
  {
    go: fc.record({ to: fc.constantFrom(0, 1, 2, false, null) }),
    verdict: fc.constantFrom(...VERDICTS),
    goals: fc.subarray(GOALS),
    satisfied_goals: fc.subarray(GOALS),
    unsatisfied_goals: fc.subarray(GOALS),
    feedback: fc.constantFrom('', 'Again, please.'),
    plan_id: fc.constant('p'),
    steps: fc.constant([]),
    intent: fc.constant('i'),
    clarification_question: fc.constantFrom('', 'Which?', 'x'.repeat(5_000), '😀'.repeat(1_500)),
  },
  { requiredKeys: ['verdict', 'goals', 'plan_id', 'steps', 'intent'] },
);

export const arbitraryDeed: fc.Arbitrary<StageDeed> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ does: fc.constant('answers' as const), output, firstIsBad: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'talks' as const }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('fails' as const), recoverable: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ does: 'asks' as const }) },
);

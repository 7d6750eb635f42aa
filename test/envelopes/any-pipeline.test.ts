import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pipeline } from '../../src/contracts/envelope/pipeline.js';
import type { Pipeline, PipelineStage } from '../../src/contracts/generated/types/pipeline.js';
import { check } from '../../src/contracts/shared/contract.js';

const NAMES = ['intent', 'b', 'execution', 'd'];

/** The order is shuffled, so that any of them may come first. */
const anyPipeline: fc.Arbitrary<Pipeline> = fc
  .shuffledSubarray(NAMES, { minLength: 1 })
  .chain((names) => fc.tuple(...names.map((name) => anyStage(name, names))))
  .map((stages) => ({ name: 'p', stages: stages as [PipelineStage] }));

function anyStage(name: string, names: readonly string[]): fc.Arbitrary<object> {
  const target = fc.constantFrom(...names, 'end', 'end', 'clarification', 'confirmation');
  const rule = target.map((to) => ({ field: 'f', equals: 1, to }));
  return fc.record(
    {
      name: fc.constant(name),
      output_key: fc.constant(name),
      default_next: target,
      rules: fc.array(rule, { maxLength: 2 }),
      error_next: target,
      after: fc.array(fc.constantFrom(...names), { maxLength: 2 }),
      join: fc.constantFrom('all', 'any'),
    },
    { requiredKeys: ['name', 'output_key', 'default_next'] },
  );
}

/** Slowly, as one would by hand: again and again, until nothing changes. */
function grown(start: readonly string[], names: readonly string[], joins: (name: string, so: Set<string>) => boolean) {
  const so = new Set(start);
  for (let round = 0; round <= names.length; round += 1) {
    for (const name of names) if (joins(name, so)) so.add(name);
  }
  return so;
}

function holds({ stages }: Pipeline): boolean {
  const names = stages.map(({ name }) => name);
  const [first] = stages;
  const goesTo = (stage: PipelineStage, to: string): string => {
    if (to === 'clarification') return names.includes('intent') ? 'intent' : stage.name;
    if (to === 'confirmation') return names.includes('execution') ? 'execution' : stage.default_next;
    return to;
  };
  const usual = (stage: PipelineStage) =>
    [stage.default_next, ...(stage.rules ?? []).map(({ to }) => to)].map((to) => goesTo(stage, to));
  const all = (stage: PipelineStage) => [
    ...usual(stage),
    ...(stage.error_next ? [goesTo(stage, stage.error_next)] : []),
  ];
  const stageOf = (name: string) => stages.find((stage) => stage.name === name) as PipelineStage;

  const begins = grown(names.slice(0, 1), names, (name, so) => {
    const { after, join } = stageOf(name);
    if (after?.length === 0) return true;
    if (after) return join === 'any' ? after.some((one) => so.has(one)) : after.every((one) => so.has(one));
    return stages.some((stage) => so.has(stage.name) && all(stage).includes(name));
  });
  const ends = grown([], names, (name, so) => usual(stageOf(name)).some((to) => to === 'end' || so.has(to)));
  const ahead = (name: string): Set<string> =>
    grown(stageOf(name).after ?? [], names, (one, so) => [...so].some((later) => stageOf(later).after?.includes(one)));
  return !first?.after?.length && names.every((name) => begins.has(name) && ends.has(name) && !ahead(name).has(name));
}

test('a pipeline is allowed exactly when every stage can begin and end, and none waits for itself', () => {
  const seen = { allowed: 0, refused: 0 };
  fc.assert(
    fc.property(anyPipeline, (value) => {
      const { allow } = check(pipeline, value);
      expect(allow).toBe(holds(value));
      seen[allow ? 'allowed' : 'refused'] += 1;
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(100);
});

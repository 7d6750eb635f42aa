import type { Pipeline } from '../generated/types/pipeline.js';
import { validate, validateStrict } from '../generated/validators/pipeline.js';
import type { Contract } from '../shared/contract.js';
import { type Denial, deny } from '../shared/verdict.js';

/** Targets that are not stages: the end, and the two ways to wait for a person. */
const FINAL_TARGETS: readonly string[] = ['end', 'clarification', 'confirmation'];

/** SPEC of pipelines as data: names are unique and every target exists. */
export const pipeline: Contract<Pipeline> = {
  name: 'pipeline',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [uniqueNames, knownTargets],
};

function uniqueNames({ stages }: Pipeline): true | Denial {
  const seen = new Set<string>();
  for (const [index, { name }] of stages.entries()) {
    if (seen.has(name))
      return deny('SCHEMA_INVALID', `stage "${name}" stands twice`, { path: `/stages/${index}/name` });
    seen.add(name);
  }
  return true;
}

function knownTargets({ stages }: Pipeline): true | Denial {
  const names = new Set([...stages.map(({ name }) => name), ...FINAL_TARGETS]);
  const keys = new Set(stages.map(({ output_key }) => output_key));
  for (const [index, stage] of stages.entries()) {
    const { rules = [], default_next, error_next, requires = [], after = [] } = stage;
    const targets = [...rules.map(({ to }) => to), default_next, error_next, ...after];
    const unknown =
      targets.find((target) => target !== undefined && !names.has(target)) ??
      requires.find((needed) => !names.has(needed) && !keys.has(needed));
    if (unknown !== undefined) {
      return deny('SCHEMA_INVALID', `stage "${stage.name}" names "${unknown}", which is no stage`, {
        path: `/stages/${index}`,
        target: unknown,
      });
    }
  }
  return true;
}

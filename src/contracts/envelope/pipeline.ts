import type { Pipeline } from '../generated/types/pipeline.js';
import { validate, validateStrict } from '../generated/validators/pipeline.js';
import type { Contract } from '../shared/contract.js';
import { type Denial, deny } from '../shared/verdict.js';
import { beginsSomewhere, everyLoopEnds, everyStageBegins } from './pipeline-paths.js';

/** Targets that are not stages: the end, and the two ways to wait for a person. */
const FINAL_TARGETS: readonly string[] = ['end', 'clarification', 'confirmation'];

/** Pipelines are data: what would only show while an envelope passes through one is refused when it is loaded. */
export const pipeline: Contract<Pipeline> = {
  name: 'pipeline',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [
    fewEnough,
    uniqueNames,
    uniqueKeys,
    knownTargets,
    knownKeys,
    beginsSomewhere,
    everyStageBegins,
    everyLoopEnds,
  ],
};

/** Who answers which stages stands in one event, and an event holds 64 KiB. */
const ANSWERERS_BYTES_MAX = 16 * 1024;

function fewEnough({ stages }: Pipeline): true | Denial {
  const answerers = stages.map(({ name, agent, tools }) => ({ name, agent, tools }));
  const bytes = new TextEncoder().encode(JSON.stringify(answerers)).length;
  const reason = `the names, agents and tools of the stages have ${bytes} bytes, and ${ANSWERERS_BYTES_MAX} are allowed`;
  return bytes <= ANSWERERS_BYTES_MAX || deny('SCHEMA_INVALID', reason, { path: '/stages', bytes });
}

function uniqueNames({ stages }: Pipeline): true | Denial {
  const seen = new Set<string>();
  for (const [index, { name }] of stages.entries()) {
    if (seen.has(name))
      return deny('SCHEMA_INVALID', `stage "${name}" stands twice`, { path: `/stages/${index}/name`, stages: [name] });
    seen.add(name);
  }
  return true;
}

function uniqueKeys({ stages }: Pipeline): true | Denial {
  const writers = new Map<string, string>();
  for (const [index, { name, output_key }] of stages.entries()) {
    const other = writers.get(output_key);
    if (other !== undefined) {
      return deny('SCHEMA_INVALID', `stages "${other}" and "${name}" both write the output "${output_key}"`, {
        path: `/stages/${index}/output_key`,
        stages: [other, name],
      });
    }
    writers.set(output_key, name);
  }
  return true;
}

function knownTargets({ stages }: Pipeline): true | Denial {
  const names = new Set(stages.map(({ name }) => name));
  const targets = new Set([...names, ...FINAL_TARGETS]);
  for (const [index, { name, rules = [], default_next, error_next = 'end', after = [] }] of stages.entries()) {
    const unknown =
      [...rules.map(({ to }) => to), default_next, error_next].find((target) => !targets.has(target)) ??
      after.find((earlier) => !names.has(earlier));
    if (unknown !== undefined) {
      return deny('SCHEMA_INVALID', `stage "${name}" names "${unknown}", which is no stage`, {
        path: `/stages/${index}`,
        target: unknown,
        stages: [name],
      });
    }
  }
  return true;
}

function knownKeys({ stages }: Pipeline): true | Denial {
  const keys = new Set(stages.map(({ output_key }) => output_key));
  for (const [index, { name, output_key, requires = [] }] of stages.entries()) {
    const missing = requires.find((key) => !keys.has(key) || key === output_key);
    if (missing !== undefined) {
      return deny('SCHEMA_INVALID', `stage "${name}" requires the output "${missing}", which no other stage writes`, {
        path: `/stages/${index}/requires`,
        key: missing,
        stages: [name],
      });
    }
  }
  return true;
}

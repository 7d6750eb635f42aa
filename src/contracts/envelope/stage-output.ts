import type { PipelineStage } from '../generated/types/pipeline.js';
import { type AnyContract, check } from '../shared/contract.js';
import { isObject } from '../shared/is-object.js';
import { stageCritic } from './stage-critic.js';
import { stageExecution } from './stage-execution.js';
import { stageIntegration } from './stage-integration.js';
import { stageIntent } from './stage-intent.js';
import { stagePerception } from './stage-perception.js';
import { stagePlan } from './stage-plan.js';

/** The outputs the document describes, by the key they stand under; every other output is any object. */
const DESCRIBED: ReadonlyMap<string, AnyContract> = new Map<string, AnyContract>([
  ['perception', stagePerception],
  ['intent', stageIntent],
  ['plan', stagePlan],
  ['execution', stageExecution],
  ['critic', stageCritic],
  ['integration', stageIntegration],
]);

/** What is wrong with the output of a stage, in words the agent can follow; null when nothing is. */
export function outputProblem({ output_key, required = [] }: PipelineStage, output: unknown): string | null {
  if (!isObject(output)) return 'the output must be an object';
  const contract = DESCRIBED.get(output_key);
  const verdict = contract && check(contract, output);
  if (verdict && !verdict.allow) return verdict.reason;
  const given = new Map<string, unknown>(Object.entries(output));
  const missing = required.find((field) => given.get(field) === undefined || given.get(field) === null);
  return missing === undefined ? null : `/${missing} is missing`;
}

/** The JSON Schema an agent is told to answer with. `schemas` are all of them: one large file, loaded where it is needed. */
export function outputSchema(stage: PipelineStage, schemas: Readonly<Record<string, object>>): object {
  const contract = DESCRIBED.get(stage.output_key);
  const described = (contract && schemas[contract.name]) ?? { type: 'object' };
  const { required = [] } = described as { required?: readonly string[] };
  return { ...described, required: [...new Set([...required, ...(stage.required ?? [])])] };
}

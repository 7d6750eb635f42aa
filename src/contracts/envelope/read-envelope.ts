import type { Envelope } from '../generated/types/envelope.js';
import { parseContract } from '../shared/contract.js';
import { isObject } from '../shared/is-object.js';
import { envelope } from './envelope.js';
import { withDefaults } from './envelope-defaults.js';

/** Results nobody may forget to send, and the order of stages: the pipeline knows that, not the schema. */
const NOT_FILLED_IN = new Set(['outputs', 'stage_order']);

/**
 * Reads an envelope of any version of contract 002: what is missing or null takes its default, then the printed schema
 * judges. Everything else stays as it came, unknown fields included; the input itself is left alone.
 */
export function readEnvelope(input: unknown): Envelope {
  if (!isObject(input)) return parseContract(envelope, input);
  const read = withDefaults(input, NOT_FILLED_IN);
  if (Array.isArray(read.completed_stages)) read.completed_stages = read.completed_stages.map(doneStage);
  return parseContract(envelope, read);
}

/** Go writes an empty list or map as null, in the stages that are done as elsewhere. */
function doneStage(stage: { satisfied_goals?: string[] | null; summary?: object | null }): Record<string, unknown> {
  if (!isObject(stage)) return stage;
  return {
    ...stage,
    ...(stage.satisfied_goals === null && { satisfied_goals: [] }),
    ...(stage.summary === null && { summary: {} }),
  };
}

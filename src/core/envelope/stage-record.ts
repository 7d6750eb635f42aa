import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { EnvelopeError } from '../../contracts/generated/types/envelope-error.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import type { ProcessingRecord } from '../../contracts/generated/types/processing-record.js';
import type { StageEnd, StageError } from './stage-end.js';

type End = StageEnd<unknown>;

/** Counters, the record of the stage, and what went wrong in it. */
export function withRecord(envelope: Envelope, pipeline: Pipeline, end: End): Envelope {
  const { llm_call_count = 0, agent_hop_count = 0 } = envelope;
  const counted = {
    ...envelope,
    llm_call_count: llm_call_count + end.llmCalls,
    agent_hop_count: agent_hop_count + 1,
    processing_history: [...historyOf(envelope), recordOf(pipeline, end)],
  };
  const errors = end.type === 'error' ? [end.error] : end.type === 'output' ? end.errors : [];
  return withErrors(counted, end.stage, errors, end.endedMs);
}

export function withErrors(envelope: Envelope, stage: string, errors: readonly StageError[], atMs: number): Envelope {
  if (errors.length === 0) return envelope;
  const added = errors.map(
    ({ error_type, message, recoverable, details }): EnvelopeError => ({
      ...{ agent: stage, error_type, message, timestamp: isoOf(atMs), recoverable },
      details: { ...details },
    }),
  );
  return { ...envelope, errors: [...(envelope.errors ?? []), ...added] };
}

export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function historyOf({ processing_history: history }: Envelope): unknown[] {
  return Array.isArray(history) ? history : [];
}

function recordOf({ stages }: Pipeline, end: End): ProcessingRecord {
  const error = errorOf(end);
  return {
    agent: end.stage,
    stage_order: stages.findIndex(({ name }) => name === end.stage) + 1,
    started_at: isoOf(end.startedMs),
    completed_at: isoOf(end.endedMs),
    duration_ms: Math.max(0, end.endedMs - end.startedMs),
    status: error !== null ? 'error' : end.type === 'confirm' ? 'waiting' : 'success',
    error,
    llm_calls: end.llmCalls,
  };
}

function errorOf(end: End): string | null {
  if (end.type === 'error') return end.error.message;
  return end.type === 'output' && end.ends ? (end.errors[0]?.message ?? end.ends) : null;
}

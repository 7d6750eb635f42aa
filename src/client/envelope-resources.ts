import type { Envelope } from '../contracts/generated/types/envelope.js';
import type { Pipeline } from '../contracts/generated/types/pipeline.js';

export type { Envelope, Pipeline };

/** What is said beside an envelope, never in it. */
export type ProcessOptions = {
  agent?: string;
  pipeline?: string;
  /** A folder on the machine of the server that it is about. */
  repo?: string;
  /** Where tools look when no folder is named. */
  around?: string;
  project?: string;
};

/** One time a stage was at work. */
export type EnvelopePass = {
  number: number;
  stage: string;
  /** Null: tools. */
  agent: string | null;
  handoff: string;
  started_at: string;
  ended_at: string | null;
  status: 'running' | 'success' | 'error' | 'waiting';
  error: string | null;
  llm_calls: number;
  tries: number;
  /** Address of its output. */
  output: string | null;
  /** The stage that led to it. */
  from: string | null;
};

export type EnvelopeBoard = {
  run_id: string;
  status: string;
  envelope: Envelope;
  pipeline: Pipeline;
  agent: string | null;
  repository: string | null;
  due: readonly string[];
  waiting: readonly string[];
  critic_fires: number;
  passes: readonly EnvelopePass[];
  /** How often it went from one stage to another; the beginning is `start`, the end `end`. */
  moves: readonly { from: string; to: string; count: number }[];
  /** The envelope as it was after each event that changed it; `document` is its address. */
  versions: readonly { seq: number; at: string; document: string; stages: readonly string[] }[];
  question: { item: number | null; kind: 'clarification' | 'confirmation'; text: string; expires_at: string } | null;
};

import type { Envelope } from '../generated/types/envelope.js';
import type { Pipeline } from '../generated/types/pipeline.js';

/** One time a stage was at work. */
export type EnvelopePass = {
  number: number;
  stage: string;
  /** Null: tools. */
  agent: string | null;
  handoff: string;
  /** The event it began with. */
  event: number;
  iteration: number;
  stage_number: number;
  started_at: string;
  ended_at: string | null;
  status: 'running' | 'success' | 'error' | 'waiting';
  error: string | null;
  llm_calls: number;
  tries: number;
  cost_usd: number;
  /** Address of its output. */
  output: string | null;
  /** The stage that led to it; null when it was the first, or a person or a sender led there. */
  from: string | null;
};

export type EnvelopeMove = { from: string; to: string; count: number };

export type EnvelopeBound = {
  name: 'llm_calls' | 'agent_hops' | 'iterations' | 'critic_fires';
  used: number;
  max: number;
};

/** What lists of envelopes show that the row of a run does not have. */
export type EnvelopeCard = {
  run_id: string;
  version: number;
  pipeline: string;
  stages: readonly string[];
  /** Who is at work, asks, or would be next; none when it has ended. */
  lit: readonly string[];
  /** What an end left undone: it can be gone on from there. */
  left: readonly string[];
  goals: { satisfied: number; of: number };
  bounds: readonly EnvelopeBound[];
};

/** Everything the page of an envelope shows. */
export type EnvelopeBoard = {
  run_id: string;
  /** Which event it is told behind, and how many there are. */
  event: number;
  events: number;
  at: string;
  /** One letter for each tick: `x` a failure, `h` a handoff, `.` the rest; `per` is how many events one stands for. */
  ticks: { per: number; marks: string };
  status: string;
  envelope: Envelope;
  pipeline: Pipeline;
  agent: string | null;
  repository: string | null;
  due: readonly string[];
  waiting: readonly string[];
  critic_fires: number;
  bounds: readonly EnvelopeBound[];
  cost_usd: number;
  tokens: number;
  passes: readonly EnvelopePass[];
  /** How often it went from where to where: begins at `start`, goes on from `answer`, stops at a question or `end`. */
  moves: readonly EnvelopeMove[];
  /** The envelope as it was after each event that changed it; `document` is its address. */
  versions: readonly { seq: number; at: string; document: string; stages: readonly string[] }[];
  question: {
    item: number | null;
    kind: 'clarification' | 'confirmation';
    text: string;
    stage: string | null;
    expires_at: string;
  } | null;
};

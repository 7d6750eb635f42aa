import type { Limits } from '../kernel/budget.js';
import type { BodyRef, EffectResult, FailureKind, Usage } from '../kernel/effect.js';

/** Where a bridge is and who stands on its two sides. */
export type BridgeOrder = {
  /** The folder of the three files, whole. */
  dir: string;
  /** A word that stands for the folder: runs of it are searched by it. */
  place: string;
  /** The orchestrator as it is shown: whoever starts it has the whole of it. Null: only answers are given. */
  argv: readonly string[] | null;
  /** Which agent answers for a name; a name that is not here is the agent of that id. */
  agents: Readonly<Record<string, string>>;
  /** The workflow whose names alone are accepted; null: any. */
  profile: string | null;
  project: string;
  /** Names of environment variables that are passed on to agents. */
  env: readonly string[];
  /** Hosts that agents may reach from inside a sandbox. */
  network: readonly string[];
  limits: Limits;
};

/** A file as it lay in the folder. `isMasked`: it holds secrets, so what is kept of it is not the whole of it. */
export type KeptFile = { body: BodyRef; isMasked: boolean };
export type FileName = 'request' | 'response' | 'state';
export type KeptFiles = Readonly<Record<FileName, KeptFile | null>>;

/** A request as it was read, and who is to answer it: null when nobody has that name. */
export type TakenRequest = {
  request_id: string;
  phase: number;
  phase_name: string;
  agent_name: string;
  timeout_seconds: number;
  retry_count: number;
  document: BodyRef;
  /** Of phase, agent, prompt and context: two with the same ask the same. */
  fingerprint: string;
  answerer: { agent: string; isPerson: boolean } | null;
  /** Fields that its answer must have as a JSON object; null: any text. */
  required: readonly string[] | null;
};

/** How the orchestrator ended. */
export type Exit = { code: number | null; signal: string | null };
export type BridgeProblem = { code: string; reason: string };

/** What a round of the orchestrator came to. */
export type RoundResult =
  /** It belongs to another handler, and nobody here may start it. */
  | { type: 'elsewhere' }
  /** `exit` is null when the request lay there already. */
  | { type: 'asked'; exit: Exit | null; request: TakenRequest; files: KeptFiles }
  | { type: 'exited'; exit: Exit | null; files: KeptFiles; problem: BridgeProblem | null };

export type ErrorType =
  | 'AGENT_NOT_FOUND'
  | 'INVOCATION_FAILED'
  | 'TIMEOUT'
  | 'PARSE_ERROR'
  | 'VALIDATION_ERROR'
  | 'UNKNOWN';

/** All that a response file is made of: the same facts give the same bytes. */
export type BridgeReply = {
  request_id: string;
  status: 'success' | 'error' | 'timeout' | 'cancelled';
  answer: BodyRef | null;
  error: { type: ErrorType; message: string } | null;
  atMs: number;
  durationMs: number | null;
  model: string | null;
  tokens: number | null;
  confidence: number | null;
};

/** What was read out of an agent's answer. */
export type AnswerReading = {
  error: { type: 'PARSE_ERROR' | 'VALIDATION_ERROR'; message: string } | null;
  confidence: number | null;
  /** What it says it has used. */
  reported: Usage | null;
};

/** An answer that somebody has who was not asked by Baton. */
export type ByHand = { reply: BridgeReply; by: string };
/** Whether the response lies where it is read, and why not. */
export type Delivery = { problem: string | null };

export type BridgeCommand =
  /** A handler begins, or goes on with what an earlier one has left. */
  /** `answerer`: who answers the request that waits, now that agents may be named anew. */
  | { type: 'Begin'; atMs: number; order: BridgeOrder; handler: string; answerer?: TakenRequest['answerer'] }
  /** The handler is told to end; nothing is lost by it. */
  | { type: 'Pause'; atMs: number; handler: string }
  /** A request that lies in the folder of an orchestrator which somebody else has started. */
  | { type: 'Take'; atMs: number; order: BridgeOrder; request: TakenRequest; files: KeptFiles; answer: ByHand | null }
  /** Nothing of such an orchestrator lies in its folder any more: it has ended, nobody here knows how. */
  | { type: 'Gone'; atMs: number }
  /** An answer by hand. */
  | ({ type: 'Respond'; atMs: number } & ByHand)
  /** What is kept is not to be gone on with. */
  | { type: 'Abandon'; atMs: number }
  | EffectResult;

/** Named like those of a job where they say the same, so that costs and logs are read in one way. */
export type BridgeEvent = { atMs: number } & (
  | { type: 'BridgeBegun'; order: BridgeOrder; handler: string; answerer?: TakenRequest['answerer'] }
  | { type: 'BridgeWatched'; order: BridgeOrder }
  | { type: 'RoundStarted'; round: number; resume: boolean }
  | { type: 'RoundEnded'; round: number; exit: Exit | null; files: KeptFiles }
  | { type: 'RoundLost'; round: number; reason: string }
  | { type: 'RequestTaken'; request: TakenRequest; handoff: string; files: KeptFiles; isNew: boolean }
  | { type: 'RequestRepeated'; request_id: string; files: KeptFiles }
  | { type: 'HandoffAsked'; handoff: string; attempt: number; agent: string; deadlineMs: number }
  | { type: 'HandoffParked'; handoff: string; reason: string; untilMs: number }
  | { type: 'HandoffUnparked'; handoff: string }
  | { type: 'PauseEnded'; handoff: string }
  | {
      type: 'HandoffEnded';
      handoff: string;
      attempt: number;
      response: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
      action: 'COMPLETED' | 'RETRY' | 'STUCK';
      cause: FailureKind | 'lost' | 'asked' | 'output' | 'paused' | 'answered' | null;
      reason: string | null;
      request: BodyRef | null;
      answer: BodyRef | null;
      usage: Usage;
      /** When it is asked again; null when it is not. */
      againMs: number | null;
    }
  | { type: 'PersonAsked'; question: number; agent_name: string; phase_name: string }
  | { type: 'StewardNotified'; question: number }
  /** `by`: the agent, or who answered by hand. `question`: what it closes. */
  | { type: 'RequestAnswered'; reply: BridgeReply; by: string; question: number | null }
  | { type: 'ResponseDelivered'; request_id: string }
  | { type: 'DeliveryFailed'; request_id: string; reason: string }
  | { type: 'BridgePaused'; reason: string; question: number | null }
  /** `exitCode` is what the handler ends with. */
  | { type: 'BridgeEnded'; exitCode: number; problem: BridgeProblem | null; question: number | null }
  | { type: 'FilesRemoved' }
);

import type { BridgeResponse } from '../generated/types/bridge-response.js';

/** Who has the baton: the orchestrator, an agent, a person, or nobody. */
export type BridgeHolder = 'orchestrator' | 'agent' | 'you' | null;

/** What lists of bridges show that the row of a run does not have. */
export type BridgeCard = {
  run_id: string;
  version: number;
  dir: string;
  /** Null: somebody else starts the orchestrator. */
  command: readonly string[] | null;
  holder: BridgeHolder;
  phase: number | null;
  phase_name: string | null;
  agent_name: string | null;
  rounds: number;
  /** Rounds in a row that asked nothing new, and how many may. */
  idle_rounds: { used: number; max: number };
};

/** One start of the orchestrator. */
export type BridgeRound = {
  round: number;
  resume: boolean;
  started_at: string;
  ended_at: string | null;
  exit: { code: number | null; signal: string | null } | null;
  /** Why nobody saw its end. */
  lost: string | null;
  /** What it asked when it ended. `repeated`: that was answered before, and was answered again from the log. */
  request_id: string | null;
  repeated: boolean;
};

/** One exit 42: what was asked, and what came back. */
export type BridgeCrossing = {
  request_id: string;
  phase: number;
  phase_name: string;
  agent_name: string;
  /** Who answers for that name; null: nobody has it. */
  agent: string | null;
  handoff: string;
  round: number;
  asked_at: string;
  answered_at: string | null;
  attempts: number;
  /** How often it was answered again from the log. */
  repeats: number;
  status: BridgeResponse['status'] | null;
  error: { type: NonNullable<BridgeResponse['error_type']>; message: string } | null;
  confidence: number | null;
  tokens: number | null;
  by: string | null;
  /** Addresses of the request and of the text of the answer. */
  request: string;
  answer: string | null;
};

/** A file as it was seen last, or as Baton has written it since. */
export type BridgeFile = {
  sha256: string;
  bytes: number;
  seen_at: string;
  /** When it was made, as it says itself. */
  written_at: string | null;
  /** It holds secrets: what is kept is not the whole of it. */
  is_masked: boolean;
  /** The request that it belongs to, as it says itself; of a checkpoint the one that it holds to be open. */
  id: string | null;
  by_baton: boolean;
};

export type BridgeFiles = Readonly<Record<'request' | 'response' | 'state', BridgeFile | null>>;

export type BridgePhase = { phase: number; phase_name: string | null; standing: 'done' | 'now' | 'due' };

/** Everything the page of a bridge shows. */
export type BridgeBoard = {
  run_id: string;
  /** Which event it is told behind, and how many there are. */
  event: number;
  events: number;
  at: string;
  /** One letter for each tick: `x` a failure, `h` somebody is asked, `.` the rest; `per` is how many events one stands for. */
  ticks: { per: number; marks: string };
  status: string;
  title: string;
  holder: BridgeHolder;
  why: string | null;
  /** Until when it is waited: for an answer, or before it is asked again. */
  until: string | null;
  dir: string;
  command: readonly string[] | null;
  /** Which agent answers for a name. */
  agents: Readonly<Record<string, string>>;
  profile: string | null;
  rounds: readonly BridgeRound[];
  idle_rounds: { used: number; max: number };
  crossings: readonly BridgeCrossing[];
  files: BridgeFiles;
  /** They were removed since they were seen. */
  files_removed: boolean;
  /** The request that an answer is due for. */
  pending: string | null;
  phases: readonly BridgePhase[];
  end: { exit_code: number; problem: { code: string; reason: string } | null } | null;
  /** The item of the inbox that asks for the answer. */
  item: number | null;
  cost_usd: number;
  tokens: number;
};

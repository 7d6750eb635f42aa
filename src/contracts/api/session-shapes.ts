/** Why a session that rests does not go on. `raise`: the option of `baton chat` that raises its limit. */
export type SessionStop = { code: string; message: string; raise: string | null };

/** What lists of sessions show. */
export type SessionCard = {
  run_id: string;
  version: number;
  title: string;
  /** idle, running, waiting or closed. */
  status: string;
  model: string;
  agent: string;
  cwd: string;
  project: string | null;
  created_at: string;
  updated_at: string;
  metrics: { cost_usd: number; tokens: number; seconds: number; turns: number; tasks: number };
  /** The item of the inbox that it waits for; the oldest, when there are several. */
  waiting_for: number | null;
  /** It is at its limit, or its last task failed. */
  stopped: SessionStop | null;
};

/** How far a call of the model has come. */
export type SessionCallState =
  | ('waiting' | 'allowed' | 'running' | 'done' | 'failed')
  | ('denied' | 'withdrawn' | 'interrupted' | 'unknown' | 'refused' | 'answered');

type At = { seq: number; at: string };
export type SessionCall = At & {
  type: 'call';
  call_id: string;
  /** Null: it was answered without doing anything. */
  kind: 'exec' | 'patch' | 'mcp' | null;
  tool: string;
  state: SessionCallState;
  /** Nobody was asked for it. */
  auto: boolean;
  decided_by: string | null;
  /** Of the sandbox. */
  where: 'inside' | 'outside' | null;
  command: readonly string[] | null;
  cwd: string | null;
  changes: Readonly<Record<string, unknown>> | null;
  arguments: unknown;
  /** Characters of command, changes and arguments that are not here: of a long text there is the beginning. */
  cut: number;
  exit_code: number | null;
  /** The end of what it printed; `left_out` is how much of it is not here. */
  stdout: string;
  stderr: string;
  left_out: number;
  seconds: number | null;
  /** Why it was asked for, or why it was not done. */
  reason: string | null;
  /** What the model says to that. Its words, and not checked by anybody. */
  justification: string | null;
};
export type SessionPlan = { explanation: string | null; plan: readonly { step: string; status: string }[] };
export type SessionPlanEntry = At & { type: 'plan' } & SessionPlan;
export type SessionEntry =
  | (At & { type: 'input'; by: string; text: string })
  | (At & { type: 'message' | 'reasoning'; item_id: string; text: string })
  | SessionCall
  | SessionPlanEntry
  | (At & { type: 'notice'; tone: 'told' | 'warning' | 'error'; code: string | null; text: string });

/** One response of the model and what it led to. `response_id`: where a fork may begin, once it is there. */
export type SessionTurn = { turn: number; response_id: string | null; entries: readonly SessionEntry[] };
export type SessionTask = {
  id: string;
  title: string;
  started_at: string;
  /** The task only summarises the thread. */
  compacts: boolean;
  /** The response it went on from, when that was not the last one. */
  from: string | null;
  end: { at: string; code: string | null; message: string | null } | null;
  turns: readonly SessionTurn[];
};

/** Something that a person must decide about. The hash binds the answer to exactly this. */
export type SessionApproval = Pick<SessionCall, 'call_id' | 'kind' | 'command' | 'cwd' | 'changes' | 'arguments'> & {
  item: number | null;
  asked_at: string;
  title: string;
  hash: string;
  where: 'inside' | 'outside';
  reason: string | null;
  justification: string | null;
  /** It had begun before: what came of it is not known, or the sandbox was in its way. */
  again: 'unknown' | 'denied' | null;
};

export type SessionCounts = { ran_by_itself: number; approved: number; denied: number };

/** Everything the page of a session shows. */
export type SessionBoard = SessionCard & {
  approval_policy: string;
  sandbox_policy: { mode: string; writable_roots: readonly string[]; network_access: boolean };
  /** Null: there is none. */
  limits: Readonly<Record<'cost_usd' | 'tokens' | 'seconds' | 'asks', number | null>>;
  context: { tokens: number; window: number };
  plan: SessionPlan | null;
  /** How often what was done needed somebody, and how much needs nobody any more in this session. */
  rules: SessionCounts & { approved_for_session: number };
  approvals: readonly SessionApproval[];
  /** The task under way. */
  task: { id: string; stage: string; turn: number; started_at: string | null; retry_at: string | null } | null;
  /** Where the thread goes on when nothing else is said. */
  last_response_id: string | null;
  tasks: readonly SessionTask[];
  /** Rows of the log before those that are told here. */
  earlier: number;
};

import type { Limits } from '../kernel/budget.js';
import type { BodyRef, EffectResult, FailureKind, Usage } from '../kernel/effect.js';

export type ApprovalPolicy = 'untrusted' | 'on-failure' | 'on-request' | 'never';
export type SandboxPolicy = {
  mode: 'read-only' | 'workspace-write' | 'danger-full-access';
  writableRoots: readonly string[];
  networkAccess: boolean;
  /** All that may be changed, where that is less than the folder and the roots: files and folders, absolute. */
  paths?: readonly string[];
  /** All that may be reached, where that is less than the web. */
  hosts?: readonly string[];
};
export type ApprovalDecision = 'approved' | 'approved_for_session' | 'denied' | 'abort';

/** How a session works from now on. */
export type SessionOrder = {
  cwd: string;
  /** The repository that the folder lies in, as rules name it. */
  repository: string | null;
  model: string;
  /** Who is asked: a model by its registration. */
  agent: string;
  instructions: BodyRef | null;
  approval: ApprovalPolicy;
  sandbox: SandboxPolicy;
  /** `server`: the provider keeps the thread and only news are sent; `full`: everything is sent each time. */
  history: 'full' | 'server';
  contextWindow: number;
  limits: Limits;
  project: string;
  classification: string | null;
  /** Tools that may be used; null is all of them. */
  tools: readonly string[] | null;
  /** The run on whose behalf it works. */
  parent: string | null;
};

/** What a request to the model brings that is new: whole items, or what came of one call. */
export type NewInput =
  | { type: 'items'; items: BodyRef }
  /** `callId` is the model's own; `custom`: of a call whose arguments are plain text. */
  | { type: 'output'; callId: string; custom: boolean; output: Told }
  /** Stands for so many inputs that the provider did not take. */
  | { type: 'left-out'; inputs: number; why: LeftOut };

/** Why nobody sends it any more: it is too long for the model, or the provider refuses what is in it. */
export type LeftOut = 'full' | 'refused';

/**
 * What the model is told: a text, with a sentence after it where there is more to say, or one short sentence alone.
 * `image`: the text is the address of a picture that holds all of it.
 */
export type Told = (BodyRef & { after?: string; image?: true }) | { words: string };

/**
 * One response of the model and what it answered. `parent` is the place of an earlier one; `origin` a response that only
 * the provider knows.
 */
export type ThreadNode = {
  parent: number | null;
  origin: string | null;
  responseId: string;
  input: readonly NewInput[];
  /** Its items, as an array; null of what stands for what was before. */
  output: BodyRef | null;
  /** Nodes of another session that come before it. */
  copied: BodyRef | null;
  /** What came of its calls: whoever goes on from here begins with it. */
  outcome: readonly NewInput[];
  /** The agent whose provider was told to keep it; only there it has this name. Earlier releases did not note it. */
  keptBy?: string;
};

/** A thread of another session that this one begins with: its nodes, in one body. */
export type CopiedThread = { nodes: BodyRef; count: number; responseId: string; outcome: readonly NewInput[] };

/** What the model said, in its order. `said` is the message that clients are shown. */
export type Said =
  | { type: 'message'; itemId: string; said: BodyRef }
  | { type: 'reasoning'; itemId: string; said: BodyRef }
  | { type: 'call'; callId: string; tool: string; custom: boolean };

/** What was read out of an answer of the model: the facts that decisions need. */
export type TurnReading =
  | {
      type: 'response';
      responseId: string;
      output: BodyRef;
      said: readonly Said[];
      /** Calls above what one response may ask for: they are answered with a refusal. */
      callsLeftOut: number;
      figures: TokenFigures;
      /** The model ran into its own limit of one answer. */
      isCut: boolean;
      /** The provider was told to keep it. */
      isKept?: true;
    }
  /** The thread does not fit into the model's window any more. */
  | { type: 'context-full' }
  /** The provider does not take what is in the thread, however often it is sent. */
  | { type: 'refused'; reason: string };

export type TokenFigures = { input: number; cachedInput: number; output: number; reasoning: number };

export type CallKind = 'exec' | 'patch' | 'mcp';
export type Where = 'inside' | 'outside';

/** What is known about a call before it is done. Nothing of it has happened yet. */
export type CallJudgement = { callId: string } & (
  | {
      type: 'deed';
      kind: CallKind;
      /** All that is needed to do it, as it was judged. */
      plan: BodyRef;
      /** The fields that clients are shown when it is asked for, and when it begins. */
      shown: BodyRef;
      /** Of what exactly would be done, under which policy, inside of the sandbox or outside. */
      hashes: Readonly<Record<Where, string>>;
      title: string;
      facts: CallFacts;
    }
  /** Answered without doing anything in the world. `plan`: a new plan to show; `problem`: why nobody could judge it. */
  | { type: 'answer'; output: Told; plan: BodyRef | null; problem?: string; note?: CallNote }
);

/** What people are told of a call that was answered at once, in one line. */
export type CallNote = { words: string; success: boolean };

/** What the policy is applied to. */
export type CallFacts = {
  /** A sandbox holds what is done. Of patches: Baton itself writes only where it may. */
  holds: boolean;
  /** It is known to only read. */
  isKnownSafe: boolean;
  rule: 'allow' | 'ask' | 'deny' | null;
  /** Why the rule or the policy stands against it, in words. */
  reason: string | null;
  /** The model wants it done outside of the sandbox, or it cannot be done inside. */
  wantsOutside: boolean;
};

/** What came of a call. */
export type CallEnd = {
  /** The message that clients are shown. */
  said: BodyRef;
  /** What the model is told. */
  output: Told;
  success: boolean;
  /** It failed as something fails that the sandbox does not allow. */
  isDenied: boolean;
  activeMs: number;
};

type At = { atMs: number };
/** `sub` is the id of the submission that asks for it. */
type Asked = At & { sub: string };
/** Which ask of the model, in a session. */
export type AskName = { turn: number; attempt: number };
/** What a command had printed when it was called off: for people, and for the model. */
export type Printed = { said: BodyRef; output: BodyRef };
/**
 * `used`: by the ask that this calls off, as far as it is known. It counts only while that very ask is open. `printed`: by
 * the commands that this calls off, by the names of their calls.
 */
type CallsOff = Asked & { used: Usage; ask?: AskName; printed?: Readonly<Record<string, Printed>> };

export type SessionCommand =
  | (CallsOff & { type: 'Configure'; order: SessionOrder; thread: CopiedThread | null })
  | (CallsOff & {
      type: 'Input';
      /** Items of the model's input. */
      items: BodyRef;
      title: string;
      entry: BodyRef;
      /** The response to go on from, when that is not the last one. */
      from: string | null;
    })
  | (CallsOff & { type: 'Interrupt' })
  | (CallsOff & {
      type: 'Approve';
      kind: 'exec' | 'patch';
      callId: string;
      decision: ApprovalDecision;
      by: string;
      /** What the model is told besides. */
      guidance: string | null;
    })
  | (Asked & { type: 'AddHistory'; entry: BodyRef })
  | (Asked & { type: 'Compact' })
  | (CallsOff & { type: 'Shutdown' })
  | EffectResult;

/** `id` is what the event carries on the wire. */
type Of = { id: string };

export type SessionEvent =
  | (Of & {
      type: 'SessionConfigured';
      order: SessionOrder;
      thread: CopiedThread | null;
      at: number;
      resumed: boolean;
      entries: number;
    })
  | (Of & {
      type: 'TaskStarted';
      at: number;
      title: string;
      items: BodyRef | null;
      entry: BodyRef | null;
      from: string | null;
      compacts: boolean;
      window: number;
      deadlineMs: number;
    })
  | (Of & { type: 'MessageSaid'; itemId: string; said: BodyRef })
  | (Of & { type: 'ReasoningSaid'; itemId: string; said: BodyRef })
  | (Of & {
      type: 'ResponseReceived';
      at: number;
      responseId: string;
      output: BodyRef;
      calls: readonly { id: string; callId: string; tool: string; custom: boolean }[];
      callsLeftOut: number;
      figures: TokenFigures;
      window: number;
      usage: Usage;
      activeMs: number;
      isKept?: true;
    })
  | (Of & { type: 'CallsJudged'; at: number; judgements: readonly JudgedCall[] })
  | (Of & { type: 'PlanUpdated'; call: string; plan: BodyRef })
  /** `problem`: it could not be judged, which is not the model's doing. */
  | (Of & { type: 'CallAnswered'; call: string; output: Told; problem?: string; note?: CallNote })
  | (Of & {
      type: 'ApprovalAsked';
      call: string;
      kind: CallKind;
      hash: string;
      shown: BodyRef;
      title: string;
      reason: string | null;
      where: Where;
      /** It had begun before: what came of it is not known, or the sandbox was in its way. */
      again: 'unknown' | 'denied' | null;
    })
  | (Of & {
      type: 'ApprovalResolved';
      call: string;
      decision: ApprovalDecision | 'withdrawn';
      by: string;
      /** What was said with a denial. */
      guidance?: string;
    })
  | (Of & { type: 'CallBegun'; at: number; call: string; kind: CallKind; shown: BodyRef; where: Where; auto: boolean })
  | (Of & { type: 'CallEnded'; call: string; kind: CallKind; end: CallEnd })
  /** Nobody saw its end, or it was called off. `settles`: whoever did it may be killed in it, so it is looked at after. */
  | (Of & {
      type: 'CallLost';
      call: string;
      kind: CallKind;
      why: 'unknown' | 'interrupted';
      settles?: true;
      printed?: Printed;
    })
  /** Of a patch that was called off, nothing lies half done any more. */
  | (Of & { type: 'PatchSettled'; call: string })
  /** It is put before a person under a new name. */
  | (Of & { type: 'CallRenamed'; call: string; to: string })
  | (Of & { type: 'TurnEnded'; at: number; responseId: string; turn: number; deadlineMs: number })
  | (Of & {
      type: 'TurnRestarted';
      itemIds: readonly string[];
      usage: Usage;
      activeMs: number;
      at: number;
      deadlineMs: number;
    })
  | (Of & {
      type: 'RetryPlanned';
      reason: string;
      untilMs: number;
      tries: number;
      itemIds: readonly string[];
      usage: Usage;
      activeMs: number;
    })
  /** `spent`: on the ask that found the window full; `harder`: how much shorter it is than by our own guess. */
  | (Of & {
      type: 'CompactionBegun';
      at: number;
      deadlineMs: number;
      spent?: { usage: Usage; activeMs: number };
      harder?: number;
    })
  | (Of & {
      type: 'Compacted';
      summary: BodyRef;
      responseId: string;
      output: BodyRef;
      usage: Usage;
      activeMs: number;
      at: number;
      deadlineMs: number;
    })
  | (Of & { type: 'LimitNeared'; what: string; words: string })
  /** Something of a response is not there that somebody may miss. */
  | (Of & { type: 'ResponseBounded'; code: 'ANSWER_CUT' | 'CALLS_LEFT_OUT'; words: string })
  /** What was not answered yet would have every later request refused. `words`: empty when there is nothing of it. */
  | (Of & { type: 'InputLeftOut'; why: LeftOut; words: string })
  | (Of & { type: 'TaskEnded'; responseId: string; message: BodyRef | null })
  /** `kind`: in which way the model failed; `retryAtMs`: when its provider wants to be asked again. */
  | (Of & {
      type: 'TaskFailed';
      code: TaskFailure;
      message: string;
      usage: Usage;
      activeMs: number;
      kind?: FailureKind;
      retryAtMs?: number;
    })
  | (Of & { type: 'HistoryAdded'; entry: BodyRef })
  | (Of & { type: 'Noticed'; call: string })
  | (Of & { type: 'SessionClosed' });

export type TaskFailure = 'INTERRUPTED' | 'MODEL_FAILED' | 'LIMIT_REACHED' | 'CONTEXT_FULL';

/** A call as the policy has it. */
export type JudgedCall = { call: string } & (
  | {
      type: 'deed';
      kind: CallKind;
      plan: BodyRef;
      shown: BodyRef;
      hash: string;
      title: string;
      where: Where;
      /** Outside of the sandbox, for when it fails inside. */
      outside: string | null;
    }
  | { type: 'answer' }
);

/** Public `baton/client`: a typed client of the server, for Node and browsers. Every name is listed. */
export type { Agent } from '../contracts/api/agent-shapes.js';
export type { SignedHead, Verified } from '../contracts/api/audit-shapes.js';
export type {
  BridgeBoard,
  BridgeCard,
  BridgeCrossing,
  BridgeFile,
  BridgeHolder,
  BridgePhase,
  BridgeRound,
} from '../contracts/api/bridge-shapes.js';
export type { Budget, CostKey, CostRow } from '../contracts/api/cost-shapes.js';
export type { EnvelopeBoard, EnvelopeBound, EnvelopeCard, EnvelopePass } from '../contracts/api/envelope-shapes.js';
export type { Answered, InboxItem } from '../contracts/api/inbox-shapes.js';
export type {
  Amounts,
  BodyRef,
  Check,
  Evidence,
  History,
  JobCard,
  JobObject as Job,
  JobView,
  RecoveryPoint,
  RelayRow,
} from '../contracts/api/job-shapes.js';
export type {
  BoardAttempt,
  BoardRow,
  Claim,
  LedgerBoard,
  LedgerMetrics,
  LedgerObject as Ledger,
  LedgerStatus,
  LedgerTask,
  TaskStatus,
} from '../contracts/api/ledger-shapes.js';
export type { Page } from '../contracts/api/page.js';
export type { Rule } from '../contracts/api/rule-shapes.js';
export type { Run, RunEvent } from '../contracts/api/run-shapes.js';
export type {
  SessionApproval,
  SessionBoard,
  SessionCall,
  SessionCallState,
  SessionCard,
  SessionEntry,
  SessionPlan,
  SessionStop,
  SessionTask,
  SessionTurn,
} from '../contracts/api/session-shapes.js';
export type { System } from '../contracts/api/system-shapes.js';
export type { Token, Whoami } from '../contracts/api/token-shapes.js';
export type { Envelope } from '../contracts/generated/types/envelope.js';
export type { SessionEvent } from '../contracts/generated/types/event.js';
export type { Pipeline } from '../contracts/generated/types/pipeline.js';
export type { Submission } from '../contracts/generated/types/submission.js';
export type { WorklogEntry } from '../contracts/generated/types/worklog-entry.js';
export { BatonError, type ErrorCode } from '../contracts/shared/errors.js';
export { type BatonClient, createClient, type JobAct, type Keyed, type RunFilter } from './create-client.js';
export type { ProcessOptions } from './envelopes-at.js';
export type { StreamOptions, StreamState } from './event-stream.js';
export type { SessionFilter, SessionOrder } from './sessions-at.js';
export type { WireOptions } from './wire.js';

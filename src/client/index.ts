/** Public `baton/client`: a typed client of the server, for Node and browsers. Every name is listed. */
export { BatonError, type ErrorCode } from '../contracts/shared/errors.js';
export type {
  BridgeBoard,
  BridgeCard,
  BridgeCrossing,
  BridgeFile,
  BridgeHolder,
  BridgePhase,
  BridgeRound,
} from './bridge-resources.js';
export { type BatonClient, createClient, type JobAct, type Keyed, type RunFilter } from './create-client.js';
export type {
  Envelope,
  EnvelopeBoard,
  EnvelopeBound,
  EnvelopeCard,
  EnvelopePass,
  Pipeline,
  ProcessOptions,
} from './envelope-resources.js';
export type { StreamOptions, StreamState } from './event-stream.js';
export type { Amounts, BodyRef, Check, Evidence, JobView, RecoveryPoint, RelayRow } from './job-resources.js';
export type {
  BoardAttempt,
  BoardRow,
  Claim,
  Ledger,
  LedgerBoard,
  LedgerMetrics,
  LedgerStatus,
  LedgerTask,
  TaskStatus,
  WorklogEntry,
} from './ledger-resources.js';
export type {
  Agent,
  Answered,
  Budget,
  CostKey,
  CostRow,
  History,
  InboxItem,
  Job,
  JobCard,
  Page,
  Rule,
  Run,
  RunEvent,
  SignedHead,
  System,
  Token,
  Verified,
  Whoami,
} from './resources.js';
export type {
  SessionApproval,
  SessionBoard,
  SessionCall,
  SessionCallState,
  SessionCard,
  SessionEntry,
  SessionEvent,
  SessionOrder,
  SessionPlan,
  SessionTask,
  SessionTurn,
  Submission,
} from './session-resources.js';
export type { SessionFilter } from './sessions-at.js';
export type { WireOptions } from './wire.js';

import type { Details, ErrorCode } from '../../contracts/shared/errors.js';
import type { Effect } from './effect.js';
import type { InboxChange } from './inbox.js';
import type { RunSummary } from './run-summary.js';

export type Refusal = { code: ErrorCode; reason: string; details?: Details };
export type Decision<Event> = { events: readonly Event[] } | { refusal: Refusal };

/** The whole behaviour of one contract. All members are pure: no clock, no randomness, no I/O, no promises. */
export interface Decider<Command, Event, State> {
  readonly kind: string;
  /** Raised when the shape of State changes; snapshots of another number are ignored. */
  readonly version: number;
  initialState(): State;
  /** May this happen now? Answers with the facts to record, or why not. Never throws for a business reason. */
  decide(state: Readonly<State>, command: Command): Decision<Event>;
  /** Applies a fact in O(1); the fold owns its state and may change it in place. Accepts every event ever written. */
  evolve(state: State, event: Event): State;
  /** What the world still owes this state; each effect ends in an event that removes it. Asked again after a crash. */
  outstanding(state: Readonly<State>): Iterable<Effect>;
  /** The run's row in lists; written in the same transaction. Recovery and timers read nothing else. */
  summary(state: Readonly<State>): RunSummary;
  /** What an event asks of a human, or which such question it closes. The inbox is nothing but these, folded. */
  inbox(event: Event): InboxChange | undefined;
  /** A state of plain JSON needs none of these; one with a Map says how it is kept. */
  readonly snapshot?: {
    encode(state: Readonly<State>): unknown;
    decode(json: unknown): State;
    /** After how many events at least it is worth to write one. */
    every?(state: Readonly<State>): number;
  };
}

export function refuse(code: ErrorCode, reason: string, details?: Details): { refusal: Refusal } {
  return { refusal: { code, reason, ...(details && { details }) } };
}

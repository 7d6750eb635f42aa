import type { Append, Appended, Claim, ProcessKey, ProcessRow, RunId, Snapshot, WorkerId } from '../../engine/ports.js';

/** `observedMs` is the observer's monotonic clock. */
export type ClaimWhich = { worker: WorkerId; run?: RunId; nowMs: number; limit: number; observedMs: number };

/** Everything that is ever written, as plain data, so that it can be done here or sent to a thread. */
export type Writes = {
  append: { args: readonly Append[]; result: readonly Appended[] };
  claim: { args: ClaimWhich; result: readonly Claim[] };
  release: { args: { run: RunId; epoch: number }; result: null };
  enlist: { args: { worker: WorkerId; host: string }; result: null };
  beat: { args: { worker: WorkerId }; result: null };
  hear: { args: { run: RunId; task: string; at: string }; result: null };
  discharge: { args: { worker: WorkerId }; result: null };
  saveSnapshot: { args: { snapshot: Snapshot; epoch: number }; result: null };
  addProcess: { args: ProcessRow & { epoch: number }; result: boolean };
  removeProcess: { args: ProcessKey; result: null };
};
export type WriteName = keyof Writes;
export type WriteTask = { [Name in WriteName]: { name: Name; args: Writes[Name]['args'] } }[WriteName];

export type Outcome = { value: Writes[WriteName]['result'] } | { failure: Error };
/** `news`: something was written that others may want to act on. A look for work that found none is no news. */
export type Committed = { outcomes: readonly Outcome[]; news: boolean };

/** Resolves a write once it is durable. */
export interface Writer {
  write<Name extends WriteName>(name: Name, args: Writes[Name]['args']): Promise<Writes[Name]['result']>;
  /** Lets what was accepted finish, then ends. */
  close(): Promise<void>;
}

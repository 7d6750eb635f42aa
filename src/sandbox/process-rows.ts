import type { ProcessKey, ProcessRow, RunId, WorkerId } from '../engine/ports.js';

/** What the gate needs of the store. */
export interface ProcessRows {
  /** Resolves when the row is durable; false when the run is no longer held with this epoch, and nothing was written. */
  add(row: ProcessRow, epoch: number): Promise<boolean>;
  remove(key: ProcessKey): Promise<void>;
  list(of: { run?: RunId; handoff?: string; worker?: string }): Promise<readonly ProcessRow[]>;
}

/** On whose behalf processes are started and ended. */
export type Gate = {
  table: ProcessRows;
  worker: WorkerId;
  /** Names the store. Two homes on one machine may both have a run `job-1`; neither may end the other's processes. */
  scope: string;
  /** True when no other machine shares the table: a row of another boot is then surely of a dead process. */
  oneMachine: boolean;
};

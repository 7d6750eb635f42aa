import type { Clock } from '../engine/ports.js';
import type { Gate } from '../sandbox/process-rows.js';
import type { Confined } from '../sandbox/sandbox.js';
import type { Errand } from '../workspace/run-gated.js';
import type { Around } from './tool.js';

/** Of a program: whether it may change the folder, and which hosts it may reach. */
type Reach = { argv: readonly string[]; mayWrite: boolean; hosts: readonly string[] };

/** What tools need of the machine they run on. */
export type Machine = {
  gate: Gate;
  clock: Clock;
  environment: NodeJS.ProcessEnv;
  /** Baton's own folder: nothing in it is shown to anybody, wherever it lies. */
  home?: string;
  /** What a program that runs in this folder may reach; absent or undefined leaves it the rights of this process. */
  confine?(cwd: string, of: Reach): Promise<{ confined: Confined; end(): Promise<void> } | undefined>;
};

export function errandOf({ gate, clock }: Machine, { held, key, signal }: Around): Errand {
  return { gate, clock, held, key, signal };
}

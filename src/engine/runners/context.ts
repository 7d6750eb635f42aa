import type { EffectResult } from '../../core/kernel/effect.js';
import type { Outcome } from '../dispatch.js';
import type { Lanes } from '../lanes.js';
import type { LoginLanes } from '../login-lanes.js';
import type { AnyCommand } from '../machines.js';
import type { Ports, RunId, SealedBody } from '../ports.js';
import type { Origin } from '../seal.js';
import type { StopSignal } from '../stop-signal.js';
import type { SystemRun } from '../system/system-run.js';

/** What a runner may use. It has no opinion: it touches the world and says what happened. */
export type Context = {
  ports: Ports;
  run: RunId;
  /** The ownership under which it runs. */
  epoch: number;
  signal: StopSignal;
  lanes: Lanes;
  logins: LoginLanes;
  system: SystemRun;
  /** Sends a command to another run. */
  tell(run: RunId, command: AnyCommand, origin: Origin): Promise<Outcome>;
  /** Makes a run that is driven together with this one; nothing happens when it is there. */
  child(run: RunId, kind: string, command: AnyCommand, origin: Origin): Promise<Outcome>;
  /** Takes a run over, unless somebody alive has it. */
  drive(run: RunId): Promise<boolean>;
  /** Calls after every commit that touches a run; returns what ends it. */
  watch(run: RunId, call: () => void): () => void;
};

/** Undefined when the effect was aborted: then there is nothing to say. */
export type Ran = { command: EffectResult; bodies?: readonly SealedBody[] } | undefined;

import type { ResourceLimits } from './resource-limits.js';

export type SandboxMode = 'bwrap' | 'seatbelt' | 'agent' | 'external' | 'none';

/**
 * What stands behind a mode: the kernel, the user's word that all of this runs in a container or VM, the agent's own
 * sandbox, or nothing.
 */
export type Strength = 'enforced' | 'declared' | 'agent' | 'nothing';

/** What a command may reach. All paths are absolute; of two that lie in each other the longer one decides. */
export type Confinement = {
  writable: readonly string[];
  /** Seen and not written, also where everything around is private or hidden. */
  readOnly: readonly string[];
  /** Neither read nor written. */
  hidden: readonly string[];
  /** Inside a writable root: neither changed nor replaced. */
  control: readonly string[];
  /**
   * Where a control file is missing nothing can be made: something is laid in its place for as long as the command runs.
   * Only for folders of Baton's own: in those of the user nothing is made, and all that is named is there.
   */
  mayCover: boolean;
  network: Network;
  limits: ResourceLimits;
};

/** Reached are loopback ports and hosts that the relay behind the socket allows; see relay/relay-server.ts. */
export type Network =
  | { type: 'none' }
  | {
      type: 'relay';
      socket: string;
      ports: readonly number[];
      hosts: 'none' | 'through-proxy';
      /** Of a relay that listens on loopback too, which is needed where there are no network namespaces. */
      proxyPort?: number;
    };

export type ConfinedCommand = {
  cwd: string;
  /** All of it; the sandbox adds what it needs itself and takes nothing from elsewhere. */
  env: Readonly<Record<string, string>>;
  confinement: Confinement;
  /** The number that the first of its own descriptors will have. */
  descriptor: number;
};

/** How a command is started so that it is confined. Nothing of it has run yet. */
export type Wrapped = {
  /** Program and arguments before those of the gate; empty when nothing is around it. */
  prefix: readonly string[];
  env: Readonly<Record<string, string>>;
  /** What the prefix reads from its own descriptors, in their order. */
  payloads: readonly Uint8Array[];
  /** Descriptors of this process that it has after those; `tidy` closes them here. */
  lent: readonly number[];
  /** Lines of the gate's shell, run inside, before it waits and after it was opened. */
  beforeGate: readonly string[];
  afterGate: readonly string[];
  /** What is said on the gate's descriptor when the command may be let go. */
  signs: readonly string[];
  /** Looks at it from outside when all signs were given: the first process inside, or why the command must not run. */
  inspect(pid: number): Promise<Inspected>;
  /** After the last process has ended. Never throws. */
  tidy(): void;
};

/** `init` is undefined where the kernel does not end everything with one process. */
export type Inspected = { init: number | undefined } | { reason: string };

export interface Sandbox {
  readonly mode: SandboxMode;
  readonly strength: Strength;
  /** Synchronous, so that little happens between looking at the paths and using them. */
  wrap(command: ConfinedCommand): Wrapped | { reason: string };
}

/** What spawnGated takes: a sandbox and what the command may reach in it. */
export type Confined = { sandbox: Sandbox; confinement: Confinement };

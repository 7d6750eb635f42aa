import type { JobStage } from '../../jobs/job-stage.js';

/** What an agent is to do, in no tool's own words. */
export type Deed =
  | { runs: string }
  | { says: string }
  | { naps: string } // and then mends it
  | 'is refused by its provider';

/** `told`: once it is told how to go on. */
export type Script = { first: readonly Deed[]; told?: readonly Deed[] };

/** An agent on a stage, and what can be seen of it from outside. */
export type Scene = {
  stage: JobStage;
  agent: string;
  /** What reached a model, one after the other; undefined when no model of it is known. */
  served?(): { tokens: number; replies: number }[];
  /** Whether it is in the middle of its nap. */
  naps(): Promise<boolean>;
  /** By what it is known in the list of processes, when it is a program. */
  program?: string;
  /** Where it keeps its conversations, when it has any. */
  keeps?: string;
};

export const BEHAVIOURS = [
  'answers',
  'works with its hands',
  'is metered',
  'tells its live log',
  'refuses in words',
  'answers something else than was agreed',
  'is refused by its provider',
  'is ended when its time is up',
  'is asked again when it was killed',
  'is called off',
  'goes on with its conversation',
  'begins anew when its conversation is gone',
  'is cleaned up',
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** A way of asking. What it cannot do is said with the reason, and looked at: it must really not. */
export type Subject = {
  name: string;
  cannot: Partial<Record<Behaviour, string>>;
  set(script: Script): Promise<Scene>;
};

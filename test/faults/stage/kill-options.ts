import type { SourceBug } from './build-plugins.js';

/** What every harness that kills is told. */
export type KillOptions = {
  root: string;
  kills: number;
  seed: number;
  /** Leaves the home and everything the programs said. */
  keep?: boolean;
  bug?: SourceBug;
};

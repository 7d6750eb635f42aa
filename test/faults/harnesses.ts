import { killHarness } from './kill/kill-harness.js';
import { killPlanted } from './kill/planted.js';
import type { Planted, Report } from './stage/report.js';
import { takeoverPlanted } from './takeover/planted.js';
import { takeoverHarness } from './takeover/takeover-harness.js';

export type HarnessName = 'kill' | 'takeover';

export type Harness = {
  /** The option that says how often. */
  option: 'kills' | 'pauses' | 'commands' | 'cuts' | 'steps' | 'every';
  /** What this machine lacks for it, by name. */
  missing(): string | undefined;
  run(root: string, how: { seed: number; times?: number }): Promise<Report>;
  planted(root: string): Promise<Planted[]>;
};

const onLinux = (): string | undefined => (process.platform === 'linux' ? undefined : 'it needs /proc of Linux');

export const HARNESSES: Readonly<Record<HarnessName, Harness>> = {
  kill: {
    option: 'kills',
    missing: onLinux,
    run: (root, { seed, times = 1_000 }) => killHarness({ root, seed, kills: times }),
    planted: killPlanted,
  },
  takeover: {
    option: 'pauses',
    missing: onLinux,
    run: (root, { seed, times = 300 }) => takeoverHarness({ root, seed, pauses: times }),
    planted: takeoverPlanted,
  },
};

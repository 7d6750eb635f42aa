import { agentsHarness } from './agents/agents-harness.js';
import { agentsPlanted } from './agents/planted.js';
import { approvalsHarness } from './approvals/approvals-harness.js';
import { approvalsPlanted } from './approvals/planted.js';
import { bridgeHarness } from './bridge/bridge-harness.js';
import { bridgePlanted } from './bridge/planted.js';
import { flipHarness } from './disk/bit-flips.js';
import { fullDiskHarness } from './disk/full-disk.js';
import { callsPlanted, flipsPlanted } from './disk/planted.js';
import { readOnlyHarness } from './disk/read-only.js';
import { systemCallHarness } from './disk/system-calls.js';
import { envelopesHarness } from './envelopes/envelopes-harness.js';
import { envelopesPlanted } from './envelopes/planted.js';
import { jobsHarness } from './jobs/jobs-harness.js';
import { jobsPlanted } from './jobs/planted.js';
import { killHarness } from './kill/kill-harness.js';
import { killPlanted } from './kill/planted.js';
import { mixedHarness } from './mixed/mixed-harness.js';
import { mixedPlanted } from './mixed/planted.js';
import { operatorHarness } from './operator/operator-harness.js';
import { operatorPlanted } from './operator/planted.js';
import { powerPlanted } from './power/planted.js';
import { powerHarness } from './power/power-cut.js';
import { sessionsPlanted } from './sessions/planted.js';
import { sessionsHarness } from './sessions/sessions-harness.js';
import { missing, type Need } from './stage/missing.js';
import type { Planted, Report } from './stage/report.js';
import { streamsPlanted } from './streams/planted.js';
import { streamsHarness } from './streams/streams-harness.js';
import { takeoverPlanted } from './takeover/planted.js';
import { takeoverHarness } from './takeover/takeover-harness.js';
import { writersPlanted } from './writers/planted.js';
import { writersHarness } from './writers/writers-harness.js';

export type HarnessName =
  | 'kill'
  | 'jobs'
  | 'operator'
  | 'envelopes'
  | 'bridge'
  | 'sessions'
  | 'mixed'
  | 'agents'
  | 'approvals'
  | 'streams'
  | 'takeover'
  | 'writers'
  | 'full'
  | 'read-only'
  | 'calls'
  | 'flips'
  | 'power';

export type Harness = {
  /** The option that says how often. */
  option: 'kills' | 'pauses' | 'commands' | 'cuts' | 'steps' | 'every' | 'resumes';
  /** What this machine lacks for it, by name. */
  missing(): string | undefined;
  run(root: string, how: { seed: number; times?: number; keep: boolean; tell(line: string): void }): Promise<Report>;
  planted(root: string): Promise<Planted[]>;
};

const needs =
  (...names: readonly Need[]) =>
  (): string | undefined =>
    missing(...names);

export const HARNESSES: Readonly<Record<HarnessName, Harness>> = {
  kill: {
    option: 'kills',
    missing: needs('Linux'),
    run: (root, { seed, keep, times = 1_000 }) => killHarness({ root, seed, keep, kills: times }),
    planted: killPlanted,
  },
  jobs: {
    option: 'kills',
    missing: needs('Linux', 'git', 'flock'),
    run: (root, { seed, keep, times = 50 }) => jobsHarness({ root, seed, keep, kills: times }),
    planted: (root) => jobsPlanted(root),
  },
  operator: {
    option: 'kills',
    missing: needs('Linux', 'git', 'flock'),
    run: (root, { seed, keep, times = 100 }) => operatorHarness({ root, seed, keep, kills: times, tasks: times * 2 }),
    planted: (root) => operatorPlanted(root),
  },
  envelopes: {
    option: 'kills',
    missing: needs('Linux', 'git', 'flock'),
    run: (root, { seed, keep, times = 100 }) => envelopesHarness({ root, seed, keep, kills: times }),
    planted: (root) => envelopesPlanted(root),
  },
  bridge: {
    option: 'kills',
    missing: needs('Linux', 'git', 'flock', 'python3'),
    run: (root, { seed, keep, times = 120 }) => bridgeHarness({ root, seed, keep, kills: times }),
    planted: (root) => bridgePlanted(root),
  },
  sessions: {
    option: 'kills',
    missing: needs('Linux', 'git'),
    run: (root, { seed, keep, times = 100 }) => sessionsHarness({ root, seed, keep, kills: times }),
    planted: (root) => sessionsPlanted(root),
  },
  mixed: {
    option: 'kills',
    missing: needs('Linux', 'git', 'flock', 'python3'),
    run: (root, { seed, keep, times = 1_000, tell }) => mixedHarness({ root, seed, keep, kills: times, tell }),
    planted: (root) => mixedPlanted(root),
  },
  agents: {
    option: 'kills',
    missing: needs('Linux', 'git', 'bwrap'),
    run: (root, { seed, keep, times = 30 }) => agentsHarness({ root, seed, keep, kills: times }),
    planted: (root) => agentsPlanted(root),
  },
  approvals: {
    option: 'kills',
    missing: needs('Linux', 'git', 'bwrap'),
    run: (root, { seed, keep, times = 15 }) => approvalsHarness({ root, seed, keep, kills: times }),
    planted: (root) => approvalsPlanted(root),
  },
  streams: {
    option: 'resumes',
    missing: needs(),
    run: (root, { seed, times = 100 }) => streamsHarness({ root, seed, resumes: times }),
    planted: streamsPlanted,
  },
  takeover: {
    option: 'pauses',
    missing: needs('Linux'),
    run: (root, { seed, keep, times = 300 }) => takeoverHarness({ root, seed, keep, pauses: times }),
    planted: takeoverPlanted,
  },
  writers: {
    option: 'commands',
    missing: needs(),
    run: (root, { times = 10_000 }) => writersHarness({ root, commands: times }),
    planted: writersPlanted,
  },
  full: {
    option: 'steps',
    missing: needs('Linux', 'root', 'mount'),
    run: (_, { times = 256 }) => fullDiskHarness({ steps: times, every: 1 }),
    planted: async () => [],
  },
  'read-only': {
    option: 'steps',
    missing: needs('Linux', 'root', 'mount'),
    run: (root) => readOnlyHarness({ root }),
    planted: async () => [],
  },
  calls: {
    option: 'every',
    missing: needs('Linux', 'strace'),
    run: (root, { times = 1 }) => systemCallHarness({ root, every: times }),
    planted: callsPlanted,
  },
  flips: {
    option: 'every',
    missing: needs(),
    run: (_, { seed, times = 1 }) => flipHarness({ seed, every: times }),
    planted: flipsPlanted,
  },
  power: {
    option: 'cuts',
    missing: needs('Linux', 'root', 'mount', 'loop devices', 'mkfs.ext4', 'python3'),
    run: (root, { seed, times = 300 }) => powerHarness({ root, seed, cuts: times }),
    planted: powerPlanted,
  },
};

import type { ChainState } from './audit-shapes.js';

/** What a server stands on. */
export type System = {
  now: string;
  position: number;
  store: { kind: string; bytes: number; growth: { days: number; events: number; bytes: number } };
  chain: ChainState;
  workers: readonly {
    worker: string;
    host: string | null;
    beat: number | null;
    alive: boolean;
    leases: readonly { run: string; epoch: number }[];
  }[];
  /** Of this day in UTC. */
  today: { cost_usd: number; wasted_usd: number; events: number };
  sandbox: { mode: string; holds: boolean; why: string | null; setup: 'workspace-write' | 'danger-full-access' };
  four_eyes: boolean;
  /** Which runs have which paths of which repository. */
  locks: readonly { holder: string; scope: string; resources: readonly string[] }[];
  logins: readonly { login: string; state: 'lost' | 'limited'; until: string }[];
  adapters: readonly { id: string; login: 'key' | 'own' }[];
  notifiers: readonly { name: string; kind: string }[];
  versions: { baton: string; node: string; os: string };
};

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { REQUEST_FILE, RESPONSE_FILE, STATE_FILE } from '../../../src/contracts/bridge/bridge-file-names.js';
import { holdsWriteLock } from '../stage/under-way.js';

export const BRIDGE_MOMENTS = [
  'starting',
  'in a commit',
  'orchestrating',
  'state, no request yet',
  'asked, not ended yet',
  'answer not read yet',
  'an agent works',
  'between',
] as const;
export type BridgeMoment = (typeof BRIDGE_MOMENTS)[number];

/** What can be seen of a play from outside. */
export type Seen = {
  dir: string;
  home: string;
  handler: number;
  /** Of the newest start of this play, when it lives. */
  orchestrator: { pid: number; sinceMs: number } | null;
  agent: { pid: number } | null;
};

/** Who has the baton just now, and how far it is. */
export function bridgeMoment({ dir, home, handler, orchestrator, agent }: Seen): BridgeMoment {
  if (orchestrator) {
    if (existsSync(path.join(dir, RESPONSE_FILE))) return 'answer not read yet';
    if (existsSync(path.join(dir, REQUEST_FILE))) return 'asked, not ended yet';
    const state = statSync(path.join(dir, STATE_FILE), { throwIfNoEntry: false });
    return state && state.mtimeMs > orchestrator.sinceMs ? 'state, no request yet' : 'orchestrating';
  }
  if (agent) return 'an agent works';
  return holdsWriteLock(handler, home) ? 'in a commit' : 'between';
}

export function momentLines(moments: readonly BridgeMoment[]): string[] {
  return BRIDGE_MOMENTS.map((moment) => {
    const count = moments.filter((one) => one === moment).length;
    return `killed: ${moment.padEnd(22)} ${String(count).padStart(4)} ${'█'.repeat(count)}`;
  });
}

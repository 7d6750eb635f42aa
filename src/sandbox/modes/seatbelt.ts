/** macOS: the same rights by rules of the kernel instead of namespaces. Written for it, not yet run on it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { proxyEnvironment } from '../relay/relay-inside.js';
import { limitLines } from '../resource-limits.js';
import type { ConfinedCommand, Sandbox, Wrapped } from '../sandbox.js';
import { seatbeltProfile } from '../seatbelt/seatbelt-profile.js';

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';
const READY = 'ready';

export const seatbeltSandbox: Sandbox = { mode: 'seatbelt', strength: 'enforced', wrap };

function wrap({ env, confinement }: ConfinedCommand): Wrapped | { reason: string } {
  // Rules need nothing to lie where they hold.
  const { network, limits, mayCover: _, ...paths } = confinement;
  const unsafe = Object.values(paths)
    .flat()
    .find((one) => /[\n\r]/.test(one) || !path.isAbsolute(one));
  if (unsafe !== undefined) return { reason: `${JSON.stringify(unsafe)} cannot be part of a profile` };
  const proxyPort = network.type === 'relay' ? network.proxyPort : undefined;
  if (network.type === 'relay' && network.hosts === 'through-proxy' && proxyPort === undefined) {
    return { reason: 'hosts are reached through a relay that listens on loopback too' };
  }
  const listed = network.type === 'relay' ? network.ports : [];
  const ports = proxyPort === undefined ? listed : [...listed, proxyPort];
  const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'baton-scratch-')));
  const profile = seatbeltProfile({ ...realPaths(paths), scratch, home: os.homedir(), ports });
  return {
    prefix: [SANDBOX_EXEC, '-p', profile],
    env: { ...env, HOME: scratch, TMPDIR: scratch, ...(proxyPort !== undefined && proxyEnvironment(proxyPort)) },
    payloads: [],
    lent: [],
    beforeGate: [`echo ${READY} >&3`],
    afterGate: limitLines(limits, { ownUserNamespace: false }),
    signs: [READY],
    inspect: async () => ({ init: undefined }),
    tidy: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

type Paths = Pick<ConfinedCommand['confinement'], 'writable' | 'readOnly' | 'hidden' | 'control'>;

/** Rules are compared with real paths. What is not there yet is named through its nearest folder. */
function realPaths({ writable, readOnly, hidden, control }: Paths): Paths {
  return {
    writable: writable.map(realPath),
    readOnly: readOnly.map(realPath),
    hidden: hidden.map(realPath),
    control: control.map(realPath),
  };
}

function realPath(one: string): string {
  try {
    return realpathSync.native(one);
  } catch {
    const parent = path.dirname(one);
    return parent === one ? one : path.join(realPath(parent), path.basename(one));
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Wrapped } from './sandbox.js';

/** The gate's own exit code when it was never opened; nothing of the command has run then. */
const NOT_RELEASED = 125;
export const RELEASE = 'go\n';
export const GATE_DESCRIPTOR = 3;

const SHELL = '/bin/sh';
/** `sh` may only be able to close descriptors of one digit; where there is no bash, higher ones stay open. */
export const PORTABLE_DESCRIPTOR_MAX = 9;
const BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((file) => existsSync(file));
const CLOSE_ON_EXEC = 0o2000000;
const ADDED_BY_SHELLS = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/** The dot keeps line ends that a name may end with: the shell takes them off. */
const IN_FOLDER = [
  `[ "$(pwd -P; echo .)" = "$1\n." ] || { echo 'this is not the folder any more that it was judged for' >&2; exit 126; }`,
  'shift',
];

export type GateOptions = {
  env: Readonly<Record<string, string>>;
  merge: boolean;
  /** How many descriptors after the gate's own the command is meant to have. */
  passed: number;
  /** Nothing runs in any other: the shell looks where it is, and nobody can move it from there. */
  folder?: string | undefined;
  wrapped: Pick<Wrapped, 'prefix' | 'beforeGate' | 'afterGate'>;
};

/**
 * A shell that waits for one line on descriptor 3 and then becomes the command. When the pipe closes without the line
 * it exits and has run nothing. The command is never part of the script: it comes as arguments. In a sandbox the shell
 * is what runs inside it.
 */
export function gateCommand(
  file: string,
  args: readonly string[],
  { env, merge, passed, folder, wrapped }: GateOptions,
): { file: string; args: string[] } {
  const inherited = inheritedDescriptors(GATE_DESCRIPTOR + passed);
  const script = [
    ...(folder === undefined ? [] : IN_FOLDER),
    ...wrapped.beforeGate,
    `read -r baton_gate <&${GATE_DESCRIPTOR} || exit ${NOT_RELEASED}`,
    `[ "$baton_gate" = ${RELEASE.trim()} ] || exit ${NOT_RELEASED}`,
    ...['baton_gate', ...ADDED_BY_SHELLS.filter((name) => !(name in env))].map((name) => `unset ${name}`),
    ...[GATE_DESCRIPTOR, ...inherited.filter((descriptor) => descriptor <= PORTABLE_DESCRIPTOR_MAX)].map(closing),
    ...(merge ? ['exec 2>&1'] : []),
    ...wrapped.afterGate,
    'exec "$@"',
  ].join('\n');
  const place = folder === undefined ? [] : [folder];
  const gate = [SHELL, '-c', script, 'baton-gate', ...place, file, ...args];
  const high = inherited.filter((descriptor) => descriptor > PORTABLE_DESCRIPTOR_MAX);
  const [first = SHELL, ...rest] = [...wrapped.prefix, ...(high.length > 0 ? closingFirst(high, gate) : gate)];
  return { file: first, args: rest };
}

function closingFirst(high: readonly number[], gate: readonly string[]): readonly string[] {
  if (BASH === undefined) return gate;
  // -p: bash then takes no functions and no start file from the environment of the command. --norc: nor ~/.bashrc,
  // which it reads when stdin is a socket, as Node's pipes are.
  const closeHigh = [...high.map(closing), 'exec "$@"'].join('\n');
  return [BASH, '--norc', '-p', '-c', closeHigh, 'baton-gate', ...gate];
}

const closing = (descriptor: number): string => `exec ${descriptor}<&-`;

/**
 * Node opens its own descriptors so that a child does not get them; those that Baton itself was started with it would
 * pass on. macOS closes them all by itself.
 */
function inheritedDescriptors(above: number): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > above && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  try {
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // closed since the folder was read
  }
}

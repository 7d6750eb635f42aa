import type { ConfigFile } from '../../contracts/generated/types/config.js';
import { readSettings } from './config-check.js';
import type { DoctorEnv } from './finding.js';
import type { Probe, RunResult, SandboxTrial } from './probe.js';
import { quoteOutput } from './quote-output.js';
import { findVersion } from './version.js';

const TIMEOUT_MS = 5_000;

export type Cause = 'apparmor' | 'userns-clone' | 'max-namespaces' | 'container' | 'leaks' | 'unknown';
type Mode = NonNullable<NonNullable<ConfigFile['sandbox']>['mode']>;

export type SandboxState =
  | { type: 'declared'; mode: 'external' | 'agent' | 'none' }
  | { type: 'works'; name: string }
  | { type: 'missing'; name: string }
  | { type: 'blocked'; name: string; program: string; cause: Cause; said: string }
  | { type: 'unsupported'; platform: string };

/** Which sandbox there is and whether it really holds: found out by using it once. */
export async function sandboxState(env: DoctorEnv): Promise<SandboxState> {
  const mode = await declaredMode(env);
  if (mode === 'external' || mode === 'agent' || mode === 'none') return { type: 'declared', mode };
  if (env.probe.platform === 'linux') return bubblewrapState(env);
  if (env.probe.platform === 'darwin') return seatbeltState(env);
  return { type: 'unsupported', platform: env.probe.platform };
}

/** A damaged config.json has its own line. */
async function declaredMode(env: DoctorEnv): Promise<Mode | undefined> {
  return readSettings(env).then(
    ({ sandbox }) => sandbox?.mode,
    () => undefined,
  );
}

async function bubblewrapState({ probe, env }: DoctorEnv): Promise<SandboxState> {
  const program = await probe.find('bwrap');
  if (!program) return { type: 'missing', name: 'bubblewrap' };
  const told = await probe.run(program, ['--version'], TIMEOUT_MS);
  const version = told.type === 'exited' ? findVersion(told.stdout) : undefined;
  const name = version ? `bubblewrap ${version}` : 'bubblewrap';
  const trial = await probe.trySandbox(program);
  if (trial.type === 'holds') return { type: 'works', name };
  const said = quoteOutput(trial.type === 'leaks' ? trial.layers.join(', ') : trial.said, env);
  return { type: 'blocked', name, program, cause: await findCause(probe, trial), said };
}

async function seatbeltState({ probe, env }: DoctorEnv): Promise<SandboxState> {
  const program = '/usr/bin/sandbox-exec';
  if (!(await probe.stat(program))) return { type: 'missing', name: 'sandbox-exec' };
  const trial = await probe.run(program, ['-p', '(version 1)(allow default)', '/usr/bin/true'], TIMEOUT_MS);
  if (succeeded(trial)) return { type: 'works', name: 'sandbox-exec' };
  return { type: 'blocked', name: 'sandbox-exec', program, cause: 'unknown', said: saying(trial, env) };
}

/** Switches of the kernel that forbid user namespaces, the strongest first. */
const SWITCHES: readonly { file: string; forbids: string; cause: Cause }[] = [
  { file: '/proc/sys/user/max_user_namespaces', forbids: '0', cause: 'max-namespaces' },
  { file: '/proc/sys/kernel/unprivileged_userns_clone', forbids: '0', cause: 'userns-clone' },
  { file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', forbids: '1', cause: 'apparmor' },
];
const NAMESPACE_TROUBLE = /namespace|uid map|loopback|RTM_NEW|Operation not permitted|Permission denied/i;

async function findCause(probe: Probe, trial: Exclude<SandboxTrial, { type: 'holds' }>): Promise<Cause> {
  if (trial.type === 'leaks') return 'leaks';
  if (!NAMESPACE_TROUBLE.test(trial.said)) return 'unknown';
  // Inside a container its own rules come first: the host's switches look the same from here but do not help.
  const marks = await Promise.all(['/.dockerenv', '/run/.containerenv'].map((file) => probe.stat(file)));
  if (marks.some(Boolean)) return 'container';
  for (const { file, forbids, cause } of SWITCHES) {
    if ((await probe.readText(file))?.trim() === forbids) return cause;
  }
  return 'unknown';
}

function succeeded(result: RunResult): boolean {
  return result.type === 'exited' && result.code === 0;
}

function saying(result: RunResult, env: DoctorEnv['env']): string {
  if (result.type === 'exited') return quoteOutput(result.stderr || `exit ${result.code}`, env);
  return result.type === 'timeout' ? 'no answer' : 'ended early';
}

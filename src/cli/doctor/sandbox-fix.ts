import type { DoctorEnv } from './finding.js';
import { installLine } from './install-line.js';
import { type Cause, sandboxState } from './sandbox-state.js';

const PLAIN_PATH = /^\/[\w/.+-]+$/;

/** The exact commands that make the sandbox work here, each line ready to be pasted; none when it is well. */
export async function sandboxFix(env: DoctorEnv): Promise<string[]> {
  const state = await sandboxState(env);
  if (state.type === 'declared') return state.mode === 'none' ? ['baton config set sandbox.mode auto'] : [];
  if (state.type === 'missing') return [await installLine(env.probe, state.name), 'baton doctor'];
  if (state.type !== 'blocked') return [];
  const root = env.probe.uid === 0 ? '' : 'sudo ';
  return [...REPAIRS[state.cause](root, state.program), 'baton doctor'];
}

const REPAIRS: Record<Cause, (root: string, program: string) => string[]> = {
  apparmor: (root, program) => [
    '# Lets bwrap alone create user namespaces; nothing else on this machine changes.',
    `${root}tee /etc/apparmor.d/bwrap >/dev/null <<'EOF'`,
    'abi <abi/4.0>,',
    'include <tunables/global>',
    '',
    `profile bwrap ${PLAIN_PATH.test(program) ? program : '/usr/bin/bwrap'} flags=(unconfined) {`,
    '  userns,',
    '  include if exists <local/bwrap>',
    '}',
    'EOF',
    `${root}apparmor_parser -r /etc/apparmor.d/bwrap`,
  ],
  'userns-clone': (root) => sysctl(root, 'kernel.unprivileged_userns_clone=1'),
  'max-namespaces': (root) => sysctl(root, 'user.max_user_namespaces=15000'),
  container: () => [
    '# This container forbids nested sandboxes. If it may be trusted as the sandbox:',
    'baton config set sandbox.mode external',
  ],
  leaks: () => [
    '# Commands are started in it, but get at what they should not. A newer bubblewrap or kernel may hold; until then:',
    'baton config set sandbox.mode agent',
  ],
  unknown: () => [
    '# See what it says, repair that, or leave the guarding to the agents themselves:',
    'bwrap --ro-bind / / --unshare-all --die-with-parent true',
    'baton config set sandbox.mode agent',
  ],
};

function sysctl(root: string, setting: string): string[] {
  return [
    '# Allows user namespaces for all programs of this machine.',
    `echo ${setting} | ${root}tee /etc/sysctl.d/60-baton-sandbox.conf`,
    `${root}sysctl --system`,
  ];
}

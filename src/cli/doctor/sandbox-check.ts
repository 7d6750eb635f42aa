import type { Check, Finding } from './finding.js';
import { type Cause, type SandboxState, sandboxState } from './sandbox-state.js';

const WHY: Record<Cause, string> = {
  apparmor: 'may not create user namespaces (AppArmor)',
  'userns-clone': 'may not create user namespaces (kernel.unprivileged_userns_clone=0)',
  'max-namespaces': 'may not create user namespaces (user.max_user_namespaces=0)',
  container: 'is not allowed inside this container',
  leaks: 'starts but does not keep everything back',
  unknown: 'does not work here',
};

const UNTIL_FIXED =
  'until fixed: agents use their own sandbox, commands outside it ask you, ' +
  'path locks are checked after the fact instead of enforced';

const DECLARED: Record<'external' | 'agent' | 'none', Omit<Finding, 'topic'>> = {
  external: { status: 'ok', text: 'container (declared by sandbox.mode=external)' },
  agent: {
    status: 'ok',
    text: "the agents' own (sandbox.mode=agent); path locks are checked after the fact",
  },
  none: {
    status: 'warning',
    text: 'off (sandbox.mode=none): agents have all your rights, so nothing is approved by itself',
    fix: 'baton config set sandbox.mode auto',
  },
};

const SHOW_FIX = 'baton doctor --show-fix sandbox';

export const checkSandbox: Check = async (env) => [{ topic: 'sandbox', ...judge(await sandboxState(env)) }];

function judge(state: SandboxState): Omit<Finding, 'topic'> {
  switch (state.type) {
    case 'declared':
      return DECLARED[state.mode];
    case 'works':
      return { status: 'ok', text: `${state.name}, tried: it holds` };
    case 'missing':
      return { status: 'warning', text: `${state.name} is not installed\n${UNTIL_FIXED}`, fix: SHOW_FIX };
    case 'blocked': {
      const said = state.cause === 'unknown' || state.cause === 'leaks' ? `: ${state.said}` : '';
      return { status: 'warning', text: `${state.name} ${WHY[state.cause]}${said}\n${UNTIL_FIXED}`, fix: SHOW_FIX };
    }
    case 'unsupported':
      return { status: 'warning', text: `Baton has no sandbox for ${state.platform}; agents use their own` };
  }
}

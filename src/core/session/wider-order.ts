import { may, type Role } from '../access/role.js';
import type { SandboxPolicy, SessionOrder } from './session-messages.js';

/** From the least to the most that is possible without anybody's yes. */
export const SANDBOX_MODES: readonly SandboxPolicy['mode'][] = ['read-only', 'workspace-write', 'danger-full-access'];

type Order = Pick<SessionOrder, 'approval' | 'sandbox' | 'tools'>;
type Asking = { role: Role; agent: string | null; isLocal: boolean };

/** What a session may do that nobody has to allow. */
const ORDINARY: Order = {
  approval: 'never',
  sandbox: { mode: 'workspace-write', writableRoots: [], networkAccess: false },
  tools: null,
};

/**
 * Whoever may not answer what a session asks may not take the question away either. `isOwn`: four eyes are wanted, and the
 * session is theirs. Undefined when nothing stands against it.
 */
export function widerProblem(order: Order, before: Order | null, who: Asking, isOwn: boolean): string | undefined {
  const wider = whatIsWider(order, before ?? ORDINARY);
  if (wider === undefined || who.isLocal) return undefined;
  if (who.agent !== null) return `an agent (${who.agent}) may not ask for ${wider}`;
  if (isOwn) return `approvals.four_eyes wants somebody else to allow ${wider}`;
  return may(who.role, 'session.approve')
    ? undefined
    : `${wider} is for the role steward and above, not for ${who.role}`;
}

/**
 * Where nothing is held and nobody is asked, every word is a command: it is for those who may open such a session. Undefined
 * when nothing stands against it.
 */
export function drivingProblem({ approval, sandbox }: Order, who: Asking): string | undefined {
  if (who.isLocal || approval !== 'never' || sandbox.mode !== 'danger-full-access') return undefined;
  const what = `a session with approval_policy never and the sandbox ${sandbox.mode}`;
  if (who.agent !== null) return `${what} is not worked with by an agent (${who.agent})`;
  return may(who.role, 'session.approve')
    ? undefined
    : `${what} is for the role steward and above, not for ${who.role}`;
}

function whatIsWider({ approval, sandbox, tools }: Order, before: Order): string | undefined {
  if (modeOf(sandbox) > modeOf(before.sandbox)) return `the sandbox ${sandbox.mode}`;
  if (sandbox.networkAccess && !before.sandbox.networkAccess) return 'network_access';
  const root = sandbox.writableRoots.find((one) => !before.sandbox.writableRoots.includes(one));
  if (root !== undefined) return `writable_roots with ${root}`;
  if (isMore(sandbox.paths, before.sandbox.paths)) return 'more paths than before';
  if (sandbox.networkAccess && isMore(sandbox.hosts, before.sandbox.hosts)) return 'more hosts than before';
  if (before.approval === 'untrusted' && approval !== 'untrusted') return `approval_policy ${approval} after untrusted`;
  // Where a sandbox holds, never refuses what would be asked for; where none does, it does it.
  if (sandbox.mode === 'danger-full-access' && approval === 'never' && before.approval !== 'never') {
    return `approval_policy never with ${sandbox.mode}`;
  }
  return isMore(tools ?? undefined, before.tools ?? undefined) ? 'more tools than before' : undefined;
}

/** Undefined is everything. */
function isMore(now: readonly string[] | undefined, before: readonly string[] | undefined): boolean {
  return before !== undefined && (now === undefined || now.some((one) => !before.includes(one)));
}

function modeOf({ mode }: SandboxPolicy): number {
  return SANDBOX_MODES.indexOf(mode);
}

import { describe, expect, test } from 'vitest';
import { ROLES } from '../access/role.js';
import { ruleOnCall } from './rule-on-call.js';
import type { ApprovalPolicy, CallFacts, CallKind, SandboxPolicy } from './session-messages.js';
import { drivingProblem, SANDBOX_MODES, widerProblem } from './wider-order.js';

const inside: SandboxPolicy = { mode: 'workspace-write', writableRoots: [], networkAccess: false };
const ordinary = { approval: 'on-request', sandbox: inside, tools: null } as const;
const orchestrator = { role: 'orchestrator', agent: null, isLocal: false } as const;
const steward = { role: 'steward', agent: null, isLocal: false } as const;

const WIDER = [
  ['all rights', { sandbox: { ...inside, mode: 'danger-full-access' } }, 'the sandbox danger-full-access'],
  ['the network', { sandbox: { ...inside, networkAccess: true } }, 'network_access'],
  ['another folder', { sandbox: { ...inside, writableRoots: ['/srv'] } }, 'writable_roots with /srv'],
] as const;

describe('a session with', () => {
  test.each(WIDER)('%s is opened only by who may allow it', (_, change, what) => {
    const order = { ...ordinary, ...change };
    expect(widerProblem(order, null, orchestrator, false)).toBe(
      `${what} is for the role steward and above, not for orchestrator`,
    );
    expect(widerProblem(order, null, steward, false)).toBeUndefined();
    expect(widerProblem(order, null, { ...steward, agent: 'fixer' }, false)).toBe(
      `an agent (fixer) may not ask for ${what}`,
    );
    expect(widerProblem(order, null, steward, true)).toBe(`approvals.four_eyes wants somebody else to allow ${what}`);
    expect(widerProblem(order, null, { ...orchestrator, isLocal: true }, true)).toBeUndefined();
    expect(widerProblem(order, order, orchestrator, true)).toBeUndefined();
  });

  test('what is ordinary is opened by everybody who may', () => {
    for (const role of ROLES) expect(widerProblem(ordinary, null, { ...orchestrator, role }, true)).toBeUndefined();
  });
});

type Pair = { approval: ApprovalPolicy; mode: SandboxPolicy['mode'] };
/** A call as the model makes it, and what is known of it whatever the policy is. */
type Made = { kind: CallKind; isHeld: boolean; isKnownSafe: boolean; rule: CallFacts['rule']; reachesOut: boolean };

const TRUTH = [true, false];
const APPROVALS: readonly ApprovalPolicy[] = ['untrusted', 'on-failure', 'on-request', 'never'];
const PAIRS: readonly Pair[] = APPROVALS.flatMap((approval) => SANDBOX_MODES.map((mode) => ({ approval, mode })));
const MADE: readonly Made[] = (['exec', 'patch', 'mcp'] as const).flatMap((kind) =>
  TRUTH.flatMap((isHeld) =>
    TRUTH.flatMap((isKnownSafe) =>
      TRUTH.flatMap((reachesOut) =>
        (['allow', 'ask', 'deny', null] as const).map((rule) => ({ kind, isHeld, isKnownSafe, rule, reachesOut })),
      ),
    ),
  ),
);

/** What is judged of it under a sandbox: in none, nothing is outside; Baton itself holds patches, and nothing a server. */
function factsOf({ kind, isHeld, isKnownSafe, rule, reachesOut }: Made, mode: Pair['mode']): CallFacts {
  const isFree = mode === 'danger-full-access';
  const holds = kind === 'patch' || (isHeld && (kind === 'mcp' || !isFree));
  const leaves = kind === 'patch' ? reachesOut || mode === 'read-only' : kind === 'exec' && reachesOut;
  return { holds, isKnownSafe, rule, reason: null, wantsOutside: leaves && !isFree };
}

/** In the sandbox that is there then, a person would be asked for something that is done now, and nobody is. */
const takesAway = (before: ApprovalPolicy, { approval, mode }: Pair): boolean =>
  MADE.some((made) => {
    const ruling = (policy: ApprovalPolicy) =>
      ruleOnCall({ approval: policy, sandbox: { ...inside, mode } }, made.kind, factsOf(made, mode)).ruling;
    return ruling(before) === 'ask' && ruling(approval) === 'begin';
  });

test('whoever may not answer what a session asks takes the question away by no policy and no sandbox', () => {
  const order = ({ approval, mode }: Pair) => ({ ...ordinary, approval, sandbox: { ...inside, mode } });
  const rank = ({ mode }: Pair) => SANDBOX_MODES.indexOf(mode);
  for (const before of PAIRS) {
    for (const after of PAIRS) {
      const isForbidden = rank(after) > rank(before) || takesAway(before.approval, after);
      for (const who of [orchestrator, { ...steward, agent: 'fixer' }]) {
        const problem = widerProblem(order(after), order(before), who, false);
        expect(problem !== undefined, `${JSON.stringify([before, after])}: ${problem}`).toBe(isForbidden);
      }
      expect(widerProblem(order(after), order(before), steward, false)).toBeUndefined();
    }
  }
});

describe('whoever may not answer its questions', () => {
  test('does not take them away', () => {
    const before = { ...ordinary, approval: 'untrusted' } as const;
    for (const approval of ['never', 'on-request', 'on-failure'] as const) {
      expect(widerProblem({ ...ordinary, approval }, before, orchestrator, false)).toContain(
        `approval_policy ${approval}`,
      );
    }
    expect(widerProblem(before, ordinary, orchestrator, false)).toBeUndefined();
  });

  test('gives back nothing that was taken from it', () => {
    const before = { ...ordinary, sandbox: { ...inside, mode: 'read-only' }, tools: ['update_plan'] } as const;
    expect(widerProblem(ordinary, before, orchestrator, false)).toContain('the sandbox workspace-write');
    const tools = (more: string[] | null) => ({ ...before, tools: more });
    expect(widerProblem(tools(null), before, orchestrator, false)).toContain('more tools than before');
    expect(widerProblem(tools(['exec_command']), before, orchestrator, false)).toContain('more tools than before');
    expect(widerProblem(tools([]), before, orchestrator, false)).toBeUndefined();
  });

  test('opens neither paths nor hosts that were closed', () => {
    const narrow = { ...inside, networkAccess: true, paths: ['/srv/src'], hosts: ['example.com'] };
    const wider = ({ paths = narrow.paths, hosts = narrow.hosts }: { paths?: string[]; hosts?: string[] }) =>
      widerProblem(
        { ...ordinary, sandbox: { ...narrow, paths, hosts } },
        { ...ordinary, sandbox: narrow },
        orchestrator,
        false,
      );
    expect(wider({ paths: ['/srv/src', '/srv/test'] })).toContain('more paths than before');
    expect(wider({ hosts: ['example.org'] })).toContain('more hosts than before');
    expect(wider({ paths: [], hosts: [] })).toBeUndefined();
    const open = { ...ordinary, sandbox: { ...inside, networkAccess: true } };
    expect(widerProblem(open, { ...ordinary, sandbox: narrow }, orchestrator, false)).toContain('more paths');
  });
});

describe('a session in which nothing is held and nobody is asked', () => {
  const free = { ...ordinary, approval: 'never', sandbox: { ...inside, mode: 'danger-full-access' } } as const;

  test('is worked with only by who may open it', () => {
    const allowed = ROLES.filter((role) => drivingProblem(free, { ...orchestrator, role }) === undefined);
    expect(allowed).toEqual(['steward', 'admin']);
    expect(drivingProblem(free, orchestrator)).toBe(
      'a session with approval_policy never and the sandbox danger-full-access is for the role steward and above, not for orchestrator',
    );
    expect(drivingProblem(free, { ...steward, agent: 'fixer' })).toContain('is not worked with by an agent (fixer)');
    expect(drivingProblem(free, { ...orchestrator, isLocal: true })).toBeUndefined();
  });

  test('is neither one with a sandbox nor one with questions', () => {
    expect(drivingProblem({ ...free, sandbox: inside }, orchestrator)).toBeUndefined();
    for (const approval of ['untrusted', 'on-failure', 'on-request'] as const) {
      expect(drivingProblem({ ...free, approval }, orchestrator)).toBeUndefined();
    }
  });
});

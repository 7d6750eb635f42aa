import type { LiveJob } from '../../core/job/job-state.js';
import type { Wanted } from '../../core/kernel/effect.js';
import { describeRule, type KnownRule, type Rule } from '../../core/policy/rule.js';
import { isOfHostAlone, openedHosts, ruleOfHost } from '../../core/policy/rule-of-host.js';
import type { RuleBook } from './rule-book.js';

export type Ruled = { decision: 'allow' } | { decision: 'deny'; reason: string } | { decision: 'ask'; why: string };

type Surroundings = {
  rules: RuleBook;
  stateOf(run: string): Promise<Partial<LiveJob>>;
  /** What the trusted project file of the repository says. */
  projectRules(repo: string): Promise<readonly Rule[]>;
};

/**
 * May the agent of a job do this? Inside a sandbox that holds, everything may be done but what a rule denies or asks
 * for. Where nothing holds, a person decides about everything that is not a change of its own workspace.
 */
export function wantedJudge({ rules, stateOf, projectRules }: Surroundings) {
  return async (
    { run, agent, held }: { run: string; agent: string; held: boolean },
    { kind, what, cwd }: Pick<Wanted, 'kind' | 'what' | 'cwd'>,
  ): Promise<Ruled> => {
    const { order, workspace } = await stateOf(run);
    const folder = workspace?.folder ?? cwd;
    if (kind === 'patch') {
      const outside = what.split('\n').find((file) => !isBelow(file, folder));
      if (held || outside === undefined) return { decision: 'allow' };
      return { decision: 'ask', why: `${outside} is outside of its workspace` };
    }
    const repo = order?.repository?.folder ?? folder;
    const applying = await rules.applying({ repo, agent }, await projectRules(repo));
    if (kind === 'network') return judgeHost(ruleOfHost(applying, what), what);
    const guard = held ? 'inside' : 'none';
    const { decision, because, reason } = await rules.judge({ line: what, cwd, workspace: folder, guard }, applying);
    if (decision === 'deny') return { decision, reason };
    const wantsPerson = !held || (decision === 'ask' && because.type === 'rule');
    return wantsPerson && decision === 'ask' ? { decision, why: reason } : { decision: 'allow' };
  };
}

/** Hosts that rules open, and which stay closed whoever opens them. */
export type HostRules = { hosts: readonly string[]; isClosed(host: string): boolean };

/** Where an agent may go without a person, and with what one has `opened` for it. */
export function hostRules({ rules, stateOf, projectRules }: Surroundings) {
  return async ({ run, agent }: { run: string; agent: string }, opened?: string): Promise<HostRules> => {
    const repo = (await stateOf(run)).order?.repository?.folder;
    const applying = repo === undefined ? [] : await rules.applying({ repo, agent }, await projectRules(repo));
    return {
      hosts: [...openedHosts(applying), ...(opened === undefined ? [] : [opened])],
      isClosed(host) {
        const { decision } = ruleOfHost(applying, host) ?? {};
        return decision === 'deny' || (decision === 'ask' && host !== opened);
      },
    };
  };
}

/** Whether any rule would deny an agent a command, or ask for it. Hosts are kept by its sandbox. */
export function strictFor({ rules, stateOf, projectRules }: Surroundings) {
  return async ({ run, agent }: { run: string; agent: string }): Promise<boolean> => {
    const repo = (await stateOf(run)).order?.repository?.folder;
    if (repo === undefined) return false;
    const applying = await rules.applying({ repo, agent }, await projectRules(repo));
    return applying.some((rule) => rule.decision !== 'allow' && !isOfHostAlone(rule));
  };
}

function judgeHost(rule: KnownRule | undefined, host: string): Ruled {
  if (!rule) return { decision: 'ask', why: `no rule allows to reach ${host}` };
  const words = `rule ${rule.id} says: ${describeRule(rule)}`;
  if (rule.decision === 'deny') return { decision: 'deny', reason: words };
  return rule.decision === 'ask' ? { decision: 'ask', why: words } : { decision: 'allow' };
}

/** Whole paths; whoever goes up on the way is not below. */
function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`) && !file.split('/').includes('..');
}

import { createHash } from 'node:crypto';
import type { Ask, Verdict, Wanted } from '../../core/kernel/effect.js';
import type { RunId } from '../../engine/ports.js';

/** What is to be said to an agent that wants to do something. `ask`: it has to wait for a person. */
export type Permit = { decision: 'allow' } | { decision: 'deny'; reason: string } | { decision: 'ask'; why: string };

/** `held`: by a sandbox of ours. */
type Doer = { run: RunId; agent: string; held: boolean };
/** Judges by rules and by what holds the agent. */
export type Judge = (of: Doer, wanted: Pick<Wanted, 'kind' | 'what' | 'cwd'>) => Promise<Permit>;

export function wantedOf({ kind, what, cwd }: Pick<Wanted, 'kind' | 'what' | 'cwd'>, why: string | null): Wanted {
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, what, cwd]))
    .digest('hex');
  return { kind, what, cwd, why, hash };
}

/** The host that a person has opened, for this once. */
export function openedBy(verdict: Verdict | undefined): string | undefined {
  return verdict?.kind === 'network' && verdict.decision === 'approved' ? verdict.what : undefined;
}

/** What a person said about exactly this: a yes is good for once, a no for the whole attempt. Then what the rules say. */
export class Permits {
  private readonly judge: Judge;
  private readonly of: Doer;
  private verdict: Verdict | undefined;

  constructor(where: Omit<Doer, 'agent'>, { agent, verdict }: Pick<Ask, 'agent' | 'verdict'>, judge: Judge) {
    this.of = { ...where, agent };
    this.verdict = verdict;
    this.judge = judge;
  }

  async permit(asked: Pick<Wanted, 'kind' | 'what' | 'cwd'>): Promise<Permit & { wanted: Wanted }> {
    const wanted = wantedOf(asked, null);
    if (this.verdict?.hash === wanted.hash) {
      const { decision, guidance } = this.verdict;
      if (decision === 'denied') return { decision: 'deny', reason: guidance ?? 'a person said no', wanted };
      this.verdict = undefined;
      return { decision: 'allow', wanted };
    }
    const permit = await this.judge(this.of, asked);
    return { ...permit, wanted: permit.decision === 'ask' ? { ...wanted, why: permit.why } : wanted };
  }
}

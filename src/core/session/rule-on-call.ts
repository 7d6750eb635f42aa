import type { ApprovalPolicy, CallFacts, CallKind, SandboxPolicy, Where } from './session-messages.js';

/** What is to become of a call: done at once, put before a person, or not done. */
export type CallRuling =
  | { ruling: 'begin'; where: Where }
  | { ruling: 'ask'; where: Where; reason: string }
  | { ruling: 'refuse'; reason: string };

type Policy = { approval: ApprovalPolicy; sandbox: SandboxPolicy };

/**
 * The approval policies of contract 004. Rules of the user come first: deny is final, ask asks unless nobody may be
 * asked. Where nothing holds what is done, nothing is done without a person, unless the user wants just that.
 */
export function ruleOnCall({ approval, sandbox }: Policy, kind: CallKind, facts: CallFacts): CallRuling {
  const { rule, isKnownSafe, wantsOutside } = facts;
  const isFree = sandbox.mode === 'danger-full-access';
  // A tool of a server runs where the server does. What nothing holds is not inside of anything.
  const where: Where = isFree || wantsOutside || kind === 'mcp' || !facts.holds ? 'outside' : 'inside';
  if (rule === 'deny') return { ruling: 'refuse', reason: facts.reason ?? 'a rule says no' };
  if (approval === 'never') return ruleWithoutAsking(kind, facts, { isFree, where });
  const ask = (reason: string): CallRuling => ({ ruling: 'ask', where, reason: facts.reason ?? reason });
  if (rule === 'ask') return ask('a rule asks for it');
  if (rule === 'allow' && !wantsOutside && facts.holds) return { ruling: 'begin', where };
  if (wantsOutside) return ask('it would run outside of the sandbox');
  if (approval === 'untrusted')
    return isKnownSafe && !isFree ? { ruling: 'begin', where } : ask('it is not known to be safe');
  if (isFree) return isKnownSafe ? { ruling: 'begin', where } : ask('no sandbox holds it');
  if (!facts.holds) return isKnownSafe ? { ruling: 'begin', where } : ask('no sandbox holds here, so a person decides');
  return { ruling: 'begin', where };
}

function ruleWithoutAsking(
  kind: CallKind,
  { rule, wantsOutside, holds, isKnownSafe, reason }: CallFacts,
  { isFree, where }: { isFree: boolean; where: Where },
): CallRuling {
  const nobody = 'and the approval policy is never, so nobody is asked';
  if (rule === 'ask') return { ruling: 'refuse', reason: `${reason ?? 'a rule asks for it'}, ${nobody}` };
  if (isFree) return { ruling: 'begin', where };
  if (wantsOutside)
    return { ruling: 'refuse', reason: `${reason ?? 'it would run outside of the sandbox'}, ${nobody}` };
  if (holds) return { ruling: 'begin', where };
  if (kind !== 'mcp') return { ruling: 'refuse', reason: `no sandbox holds here, ${nobody}` };
  // Nothing holds a server: what counts is what the user has said about it.
  if (isKnownSafe) return { ruling: 'begin', where };
  return { ruling: 'refuse', reason: `${reason ?? 'it is a tool of a server'}, ${nobody}` };
}

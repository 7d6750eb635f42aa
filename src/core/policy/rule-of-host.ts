import { hostFits } from './match-rule.js';
import type { KnownRule } from './rule.js';

/**
 * The rule that decides whether this host may be reached, if there is one. Rules that also name a command or a folder
 * say nothing here: a sandbox knows where somebody inside wants to go, not who that is.
 */
export function ruleOfHost(rules: readonly KnownRule[], host: string): KnownRule | undefined {
  const about = rules.filter((rule) => isOfHostAlone(rule) && hostFits(rule.host, host));
  const of = (wanted: KnownRule['decision']) => about.find(({ decision }) => decision === wanted);
  return of('deny') ?? of('ask') ?? of('allow');
}

/** Hosts that rules open. */
export function openedHosts(rules: readonly KnownRule[]): string[] {
  return rules.filter(isOfHostAlone).flatMap(({ decision, host }) => (decision === 'allow' ? [host] : []));
}

export function isOfHostAlone(rule: KnownRule): rule is KnownRule & { host: string } {
  return rule.host !== undefined && rule.argv === undefined && rule.folder === undefined;
}

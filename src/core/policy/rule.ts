export type Ruling = 'allow' | 'ask' | 'deny';

/** What happens when an agent wants to run something, as `rules` of baton.json spells it. */
export type Rule = {
  decision: Ruling;
  /** How the command must begin, word by word. */
  argv?: readonly string[];
  /** Relative to the root of the workspace, or absolute. */
  folder?: string;
  host?: string;
  agent?: string;
  repo?: string;
  expires_at?: string;
  author?: string;
};

/** `id` is the number that the journal gave it, or its place in the project file. */
export type KnownRule = Rule & { id: string };

export const RULE_DAYS_DEFAULT = 30;
const DAY_MS = 86_400_000;

export type RuleScope = { repo: string; agent: string | null; nowMs: number };

/** Never beyond its repository and agent, never after its end. A rule that names no repository is for none. */
export function applies({ repo, agent, expires_at }: Rule, scope: RuleScope): boolean {
  if (repo !== scope.repo) return false;
  if (agent !== undefined && agent !== scope.agent) return false;
  return !isExpired(expires_at, scope.nowMs);
}

export function isExpired(expiresAt: string | undefined, nowMs: number): boolean {
  if (expiresAt === undefined) return false;
  const endMs = Date.parse(expiresAt);
  return Number.isNaN(endMs) || endMs <= nowMs;
}

export function expiryOf(nowMs: number, days: number = RULE_DAYS_DEFAULT): string {
  return new Date(nowMs + days * DAY_MS).toISOString();
}

/** As a person reads it: `deny git push in packages/api to example.com`. */
export function describeRule({ decision, argv, folder, host }: Rule): string {
  return [
    decision,
    ...(argv ? [argv.map(quoted).join(' ')] : ['everything']),
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(host === undefined ? [] : [`to ${host}`]),
  ].join(' ');
}

/** A word as a shell takes it back. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

import type { Always } from '../../core/policy/narrowest-rule.js';
import { describeRule, type KnownRule, quoted } from '../../core/policy/rule.js';
import type { Judged } from '../../engine/rules/rule-book.js';
import { printable } from '../printable.js';

const DAY_MS = 86_400_000;

/** `allow pnpm add, for claude, 30 days left, by anna`. */
export function describedRule(rule: KnownRule, nowMs: number): string {
  const { agent, expires_at, author } = rule;
  const days = expires_at === undefined ? null : Math.ceil((Date.parse(expires_at) - nowMs) / DAY_MS);
  const parts = [
    describeRule(rule),
    ...(agent === undefined ? [] : [`for ${agent}`]),
    ...(days === null ? [] : [days === 1 ? '1 day left' : `${days} days left`]),
    ...(author === undefined ? [] : [`by ${author}`]),
  ];
  return printable(parts.join(', '));
}

export function ruleLines(
  rules: readonly KnownRule[],
  { repo, nowMs }: { repo: string | null; nowMs: number },
): string[] {
  const where = repo === null ? 'any repository' : printable(repo);
  if (rules.length === 0) return [`No rules for ${where}. Make one: baton rule add allow|ask|deny "CMD"`];
  const width = Math.max(...rules.map(({ id }) => id.length));
  const count = rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  return [
    `${count} for ${where}; deny is stronger than ask, ask than allow`,
    ...rules.map((rule) => {
      const of = repo === null ? `  ${printable(rule.repo ?? '')}` : '';
      return `  ${rule.id.padStart(width)}  ${describedRule(rule, nowMs)}${of}`;
    }),
    'Try one: baton rule test "CMD"',
  ];
}

/** What would happen, why, and what changes that. */
export function judgedLines({ decision, reason, command, reading, because }: Judged, always: Always): string[] {
  const one = command === null ? undefined : reading.commands[command];
  return [
    `${decision}: ${reason}`,
    ...(one && reading.commands.length > 1 ? [`  decided by ${one.argv.map(quoted).join(' ')}`] : []),
    ...(decision === 'ask' && because.type === 'nothing-allows' && 'rules' in always
      ? always.rules.map(({ argv = [] }) => `Allow it: baton rule add allow ${quoted(argv.map(quoted).join(' '))}`)
      : []),
    ...(because.type === 'rule' && /^\d+$/.test(because.rule.id)
      ? [`Take it back: baton rule rm ${because.rule.id}`]
      : []),
  ];
}

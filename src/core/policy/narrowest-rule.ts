import { isKnownSafe } from './known-safe.js';
import { expiryOf, type Rule } from './rule.js';
import type { ShellReading, SimpleCommand } from './shell-reading.js';
import { systemProgram } from './system-programs.js';

const BY_SECOND_WORD = [
  ...['git', 'npm', 'pnpm', 'yarn', 'bun', 'cargo', 'go', 'pip', 'pip3', 'uv', 'poetry', 'make', 'just', 'task'],
  ...['brew', 'apt', 'apt-get', 'gem', 'bundle', 'mvn', 'gradle', 'dotnet', 'composer', 'terraform'],
];
const BY_THIRD_WORD = ['docker', 'kubectl', 'gh', 'npx', 'aws', 'gcloud'];
/** `npm run build` and `npm run deploy` are two things. */
const RUNNERS = ['run', 'run-script', 'exec', 'dlx', 'x', 'compose'];

/** Whatever comes behind these words is done: no beginning of such a command says what the rest will be. */
const NEVER =
  /^(?:sh|bash|dash|zsh|ksh|fish|node|deno|python[\d.]*|perl|ruby|php|lua|awk|sed|env|xargs|find|sudo|doas|su|ssh|scp|curl|wget|rm|dd|mkfs.*|chmod|chown|kill|eval|nc|tee|mv|cp|ln)$/;

type For = { workspace: string; repo: string; agent: string | null; author: string; nowMs: number; days?: number };
export type Always = { rules: readonly (Rule & { repo: string; author: string })[] } | { refusal: string };

/**
 * The rules that let a command pass which a person approved for good: as narrow as makes sense, for this repository
 * and agent, and not for ever. What needs no rule gets none.
 */
export function narrowestRules(reading: ShellReading, { workspace, repo, agent, author, nowMs, days }: For): Always {
  if (!reading.understood) return { refusal: `it cannot be known beforehand what this runs: ${reading.reason}` };
  const rules: (Rule & { repo: string; author: string })[] = [];
  for (const command of reading.commands) {
    if (command.wrapper || isKnownSafe(command, { workspace, guard: 'inside' }) !== undefined) continue;
    const argv = beginningOf(command, workspace);
    if (typeof argv === 'string') return { refusal: argv };
    const scope = { repo, author, ...(agent !== null && { agent }), expires_at: expiryOf(nowMs, days) };
    rules.push({ decision: 'allow', argv, ...scope });
  }
  return rules.length > 0 ? { rules } : { refusal: 'it needs no rule' };
}

/** The same for a host. */
export function hostRule(host: string, { repo, agent, author, nowMs, days }: Omit<For, 'workspace'>): Always {
  const scope = { repo, author, ...(agent !== null && { agent }), expires_at: expiryOf(nowMs, days) };
  return { rules: [{ decision: 'allow', host, ...scope }] };
}

function beginningOf({ argv, openFrom, redirects, sets }: SimpleCommand, workspace: string): string[] | string {
  const known = argv.slice(0, openFrom ?? argv.length);
  const [program = '', second = ''] = known;
  if (redirects.some(({ kind }) => kind === 'write')) return 'no rule covers the file it writes to';
  if (sets.length > 0) return `no rule covers that it sets ${sets.join(', ')}`;
  const name = systemProgram(program, workspace);
  if (name === undefined || program === '') return `${JSON.stringify(program)} is a file that may change`;
  if (NEVER.test(name)) return `what ${name} does depends on everything behind it`;
  const words = wordsThatSayIt(name, second);
  if (words === undefined) return openFrom === null ? [name, ...known.slice(1)] : `not all of ${name} is known`;
  const beginning = known.slice(1, words);
  if (beginning.length === 0 || known.length < Math.min(words, argv.length)) return `not all of ${name} is known`;
  if (beginning.some((word) => word.startsWith('-'))) return `an option stands before what ${name} is to do`;
  return [name, ...beginning];
}

/** How many words say what it does; undefined when it takes all of them. */
function wordsThatSayIt(program: string, second: string): number | undefined {
  const words = BY_SECOND_WORD.includes(program) ? 2 : 3;
  if (words === 3 && !BY_THIRD_WORD.includes(program)) return undefined;
  return RUNNERS.includes(second) ? words + 1 : words;
}

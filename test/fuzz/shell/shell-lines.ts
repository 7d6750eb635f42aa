import { ALLOWED, ASKED, DENIED } from '../../policy/judged-lines.js';
import type { Random } from '../random.js';

const LINES = [...ALLOWED, ...ASKED, ...DENIED];
const WORDS = [
  ...['ls', 'rm', 'git', 'cat', 'sh', '-c', 'env', 'xargs', 'find', '-exec', '{}', '+', 'cd', 'export', 'time', '--'],
  ...['$', '$(', '${', '$((', '`', '(', ')', '{', '}', '((', '[[', ']]', '<(', '<<', "<<'E'", '\nE\n', '<<<', '<<-'],
  ...[';', ';;', '&', '&&', '||', '|', '|&', '!', '\n', '\r', '\\\n', '\\', "'", '"', "$'", ' ', '\t', '#', '~', '*'],
  ...['>', '>>', '&>', '2>&1', '<', '>&-', '=', 'A=1', 'A=(', 'if', 'then', 'fi', 'for', 'do', 'done', 'case', 'esac'],
  ...['\u0000', '\u001b', '\u00a0', '\u202e', '\ud800', '😀', 'é', '\u2028', 'constructor', '__proto__', ''],
];
const LONG = [
  (random: Random) => 'ls;'.repeat(40 + random.below(20)),
  (random: Random) => `${'('.repeat(random.below(60))}ls${')'.repeat(random.below(60))}`,
  (random: Random) => `${'env '.repeat(random.below(12))}ls`,
  (random: Random) => `ls ${'a'.repeat(random.below(40_000))}`,
  (random: Random) => '$('.repeat(random.below(500)),
  (random: Random) => 'if true; then '.repeat(random.below(60)),
  (random: Random) => `ls ${"'".repeat(random.below(300))}`,
];

/** A known line, changed; words thrown together; or something long. */
export function shellLine(random: Random): string {
  if (random.chance(0.05)) return random.pick(LONG)(random);
  if (random.chance(0.35))
    return Array.from({ length: random.below(14) }, () => random.pick(WORDS)).join(blank(random));
  let line = random.pick(LINES);
  for (let step = random.below(4); step > 0; step -= 1) line = changed(line, random);
  return line;
}

function changed(line: string, random: Random): string {
  const at = random.below(line.length + 1);
  if (random.chance(0.3)) return line.slice(0, at) + line.slice(at + 1 + random.below(3));
  if (random.chance(0.3)) return `${line}${random.pick(['; ', ' && ', ' | ', '\n', ' '])}${random.pick(LINES)}`;
  return line.slice(0, at) + random.pick(WORDS) + line.slice(at);
}

function blank(random: Random): string {
  return random.chance(0.5) ? ' ' : '';
}

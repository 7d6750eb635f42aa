/** Throws lines at the reader and the policy. Run it with `node tools/fuzz.mjs --shell --inputs 1000000 --seed 1`. */

import { type Judgement, judgeLine } from '../../../src/core/policy/judge-line.js';
import type { ShellReading } from '../../../src/core/policy/shell-reading.js';
import type { ShellReader } from '../../../src/engine/rules/shell-reader.js';
import { COMMANDS_MAX } from '../../../src/sandbox/shell/line-reader.js';
import { RULES } from '../../policy/judged-lines.js';
import { Random } from '../random.js';
import { shrink } from '../shrink.js';
import { shellLine } from './shell-lines.js';

export type ShellSubject = {
  read(line: string): ShellReading;
  judge(reading: ShellReading, guard: 'inside' | 'none'): Judgement;
};
export type ShellReport = {
  seed: number;
  inputs: number;
  understood: number;
  /** How often lines were not understood, by reason. */
  refused: Record<string, number>;
  decisions: Record<string, number>;
  failure?: { input: number; line: string; smallest: string; complaint: string };
};

const REASONS = [
  ...['syntax', 'substitution', 'variable', 'pattern', 'control-flow', 'definition'],
  ...['runs-text', 'option', 'characters', 'limit'],
];

export function batonShell(reader: ShellReader): ShellSubject {
  return {
    read: (line) => reader.readLine(line, '/work'),
    judge: (reading, guard) => judgeLine({ reading, rules: RULES, workspace: '/work', guard }),
  };
}

export function fuzzShell(subject: ShellSubject, { seed, inputs, from = 0 }: Options): ShellReport {
  const report: ShellReport = { seed, inputs: 0, understood: 0, refused: {}, decisions: {} };
  for (let input = from; input < from + inputs && !report.failure; input += 1) {
    const line = shellLine(new Random(seed, input));
    report.inputs += 1;
    const complaint = complaintAbout(subject, line, report);
    if (complaint === undefined) continue;
    const fails = (smaller: string | Uint8Array): boolean =>
      typeof smaller === 'string' && kindOf(complaintAbout(subject, smaller)) === kindOf(complaint);
    report.failure = { input, line, complaint, smallest: String(shrink(line, fails)) };
  }
  return report;
}

type Options = { seed: number; inputs: number; from?: number };

function kindOf(complaint: string | undefined): string | undefined {
  return complaint?.split(':')[0];
}

/** What must hold for every line, whatever it is. */
function complaintAbout(subject: ShellSubject, line: string, report?: ShellReport): string | undefined {
  try {
    const reading = subject.read(line);
    const [inside, unguarded] = [subject.judge(reading, 'inside'), subject.judge(reading, 'none')];
    if (report) count(report, reading, inside);
    if (!isWellFormed(reading)) return `malformed: ${JSON.stringify(reading)}`;
    if (!reading.understood && inside.decision === 'allow') return 'allowed without being understood';
    if (unguarded.decision === 'allow') return 'allowed without a sandbox';
    if (reading.understood && isPlainlyUnknown(line)) return 'understood although something is replaced in it';
    if (JSON.stringify(subject.read(line)) !== JSON.stringify(reading)) return 'read differently the second time';
    return rereading(subject, reading);
  } catch (failure) {
    return `threw: ${String(failure)}`;
  }
}

function isWellFormed(reading: ShellReading): boolean {
  if (reading.commands.length > COMMANDS_MAX) return false;
  if (!reading.understood && (!REASONS.includes(reading.what) || reading.reason === '')) return false;
  return reading.commands.every(({ argv, openFrom }) => openFrom === null || openFrom <= argv.length);
}

/** Without quotes, comments and backslashes these replace something in every shell. */
function isPlainlyUnknown(line: string): boolean {
  return !/['#\\]|<</.test(line) && /`|\$[({\w]/.test(line);
}

/** What was read, quoted anew, is read as the same. */
function rereading(subject: ShellSubject, reading: ShellReading): string | undefined {
  const { commands, understood } = reading;
  const plain = commands.every(({ argv, openFrom, wrapper }) => openFrom === null && !wrapper && argv.length > 0);
  if (!understood || !plain || commands.length === 0) return undefined;
  const line = commands.map(({ argv }) => argv.map(inQuotes).join(' ')).join('; ');
  if (line.length > 16_000 || commands.some(({ argv }) => /find|sudo|doas|box/.test(argv[0] ?? ''))) return undefined;
  const [before, after] = [reading, subject.read(line)].map((one) =>
    JSON.stringify(one.commands.map(({ argv }) => argv)),
  );
  return before === after ? undefined : `read anew: ${before} became ${after}`;
}

function inQuotes(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function count(report: ShellReport, reading: ShellReading, { decision }: Judgement): void {
  if (reading.understood) report.understood += 1;
  else report.refused[reading.what] = (report.refused[reading.what] ?? 0) + 1;
  report.decisions[decision] = (report.decisions[decision] ?? 0) + 1;
}

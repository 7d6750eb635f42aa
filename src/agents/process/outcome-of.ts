import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import type { FailureKind } from '../../core/kernel/effect.js';
import { unreachable } from '../../core/kernel/unreachable.js';
import type { AskOutcome } from '../../engine/ports.js';
import { saysDiskFull } from '../../sandbox/says-disk-full.js';
import type { SpawnEnd, Spawned } from '../../sandbox/spawn-gated.js';
import { answered, type Failed, failed } from '../adapter.js';
import type { AnswerBytes } from './answer-bytes.js';
import { plainText } from './plain-text.js';

/** What the exit codes of agents mean; every other one is a crash. */
const EXIT_CODES: Readonly<Record<number, FailureKind>> = {
  75: 'network', // EX_TEMPFAIL: try again later
  126: 'not-found',
  127: 'not-found',
};

export function outcomeWithoutRun(spawned: Exclude<Spawned, { type: 'started' }>): AskOutcome {
  switch (spawned.type) {
    case 'aborted':
      return failed('crash', ENDED);
    case 'not-found':
      return failed('not-found', spawned.reason);
    case 'not-started':
      return failed(saysDiskFull(spawned.reason) ? 'disk-full' : 'crash', `not started: ${spawned.reason}`);
    default:
      return unreachable(spawned);
  }
}

const ENDED = 'it was ended before it answered';

/** Why it did not come to a good end; undefined when it did. Rejects when something it started could not be ended. */
export function failureOf(end: SpawnEnd, stderr: string): Failed | undefined {
  const { exitCode, signal, aborted, remaining } = end;
  if (remaining.length > 0) {
    throw new Error(`could not end ${remaining.map(({ pid, name }) => `${name} (${pid})`).join(', ')}`);
  }
  if (aborted) return failed('crash', ENDED);
  if (exitCode === 0) return undefined;
  const kind = EXIT_CODES[exitCode ?? 0] ?? (saysDiskFull(stderr) ? 'disk-full' : 'crash');
  return failed(kind, `${signal ?? `exit ${exitCode}`}${lastLines(stderr)}`);
}

/** Whoever failed has not answered, whatever it printed. */
export function outcomeOf(end: SpawnEnd, answer: AnswerBytes, stderr: string): AskOutcome {
  const failure = failureOf(end, stderr);
  if (answer.tooLarge) return failed('crash', `its answer is larger than ${BYTES_MAX} bytes; it was ended`);
  if (failure) return failure;
  const text = answer.text();
  return text === undefined ? failed('crash', 'its answer is not valid UTF-8') : answered(text);
}

const LINES_MAX = 5;
const LINE_CHARS_MAX = 200;

function lastLines(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((line) => plainText(line).trim());
  const last = withoutTrace(lines.filter((line) => line !== '')).slice(-LINES_MAX);
  return last.length === 0 ? '' : `: ${last.map(beginningOf).join('\n')}`;
}

const FRAME = /^(?:at .+(?::\d+|\))(?: \{)?|goroutine \d+ \[.*)$/;
const RUNTIME = /^Node\.js v\d[\d.]*$/;

/** Of a stack trace the line above it, which says the error, and what was printed behind it. */
function withoutTrace(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => FRAME.test(line));
  const error = lines[lines.slice(0, Math.max(last, 0)).findLastIndex((line) => !FRAME.test(line))];
  if (last === -1 || error === undefined) return lines;
  // The fields of the error stand behind its last frame, as an object over several lines.
  const closed = lines[last]?.endsWith('{') ? lines.indexOf('}', last) : last;
  const behind = lines.slice(Math.max(closed, last) + 1).filter((line) => !RUNTIME.test(line));
  return [error, ...behind];
}

/** Not cut inside a character. */
function beginningOf(line: string): string {
  return line.slice(0, LINE_CHARS_MAX).replace(/[\ud800-\udbff]$/, '');
}

import { BatonError } from './errors.js';
import { readJson } from './read-json.js';

const CHARS_MAX = 64 * 1024;

export type Argv = readonly [program: string, ...args: string[]];

/**
 * A command as a person types it, without a shell: blanks part words, quotes and backslashes keep them together, and
 * nothing else means anything. A JSON array of texts is taken as it is.
 */
export function parseCommandLine(text: string): Argv {
  if (text.length > CHARS_MAX) refuse(`is longer than ${CHARS_MAX} characters`);
  const trimmed = text.trim();
  return argvOf(trimmed.startsWith('[') ? listOf(trimmed) : wordsOf(trimmed));
}

/** Refuses what no program can be started with, or what would look like another command than it is. */
export function argvOf(words: readonly string[]): Argv {
  const [program, ...args] = words;
  if (program === undefined || program.trim() === '') refuse('names no program');
  if (/[\n\r]/.test(program)) refuse('has a line break in the name of its program');
  if (words.some((word) => word.includes('\0'))) refuse('holds U+0000');
  return [program, ...args];
}

function listOf(text: string): string[] {
  const read = readJson(text);
  if ('denial' in read) refuse(`begins like a JSON array but is none: ${read.denial.reason}`);
  const { value } = read;
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) refuse('is not an array of texts');
  return value;
}

/** Single quotes keep everything; double quotes let a backslash stand before `"` and `\`; outside, before anything. */
const WORD_PART = /([^ \t\r\n'"\\]+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([ \t\r\n]+)/gy;

function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  for (const [part, plain, single, double, escaped, blank] of text.matchAll(WORD_PART)) {
    at += part.length;
    if (blank === undefined) {
      word = (word ?? '') + (plain ?? single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? '');
    } else {
      if (/[\n\r]/.test(blank)) refuse('has a line break outside of quotes');
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  if (at < text.length)
    refuse(`has no end of ${text[at] === '\\' ? 'the backslash' : `the ${text[at]}`} at character ${at + 1}`);
  return word === undefined ? words : [...words, word];
}

function refuse(problem: string): never {
  throw new BatonError('SCHEMA_INVALID', `the command ${problem}`, { path: '/command' });
}

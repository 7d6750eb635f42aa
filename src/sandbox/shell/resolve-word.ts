import { unreadable } from './unreadable.js';

/** `open`: the shell replaces it by file names or a home folder, so what the program gets is not known. */
export type Word = { text: string; open: boolean; quoted: boolean };

/** In double quotes a dollar before these is only a dollar, in every shell. */
const PLAIN_AFTER_DOLLAR = /^["\s|)/.,:;%\]}]/;
const ENDS_A_WORD = /^[\s<>|&;()]/;
/** Blanks of other scripts part words in some shells and locales, and people cannot see format characters. */
const DOUBTFUL = /^[\p{Z}\p{C}]/u;

/**
 * What one word of a line means, by rules of its own: that the parser and this agree where the word ends is a condition
 * for understanding it. Takes only what dash and bash read alike.
 */
export function resolveWord(source: string): Word {
  let at = 0;
  const word: Word = { text: '', open: false, quoted: false };
  while (at < source.length) {
    const rest = source.slice(at);
    const part = quotedPart(rest) ?? plainPart(rest, at === 0, source[at - 1] ?? '');
    word.text += part.text;
    word.open ||= part.open === true;
    word.quoted ||= part.quoted === true;
    at += part.length;
  }
  return word;
}

type Part = { text: string; length: number; open?: boolean; quoted?: boolean };

function quotedPart(rest: string): Part | undefined {
  if (rest.startsWith("'")) {
    const end = rest.indexOf("'", 1);
    if (end < 0) unreadable('syntax', 'a quote has no end');
    return { text: rest.slice(1, end), length: end + 1, quoted: true };
  }
  if (rest.startsWith('"')) return doubleQuoted(rest);
  if (!rest.startsWith('\\')) return undefined;
  const next = String.fromCodePoint(rest.codePointAt(1) ?? 0);
  if (rest.length === 1) unreadable('syntax', 'it ends in a backslash');
  return { text: next === '\n' ? '' : next, length: 1 + next.length, quoted: true };
}

function doubleQuoted(rest: string): Part {
  let text = '';
  let at = 1;
  while (at < rest.length) {
    const char = rest[at] ?? '';
    if (char === '"') return { text, length: at + 1, quoted: true };
    if (char === '`') unreadable('substitution', 'a backtick runs what is inside');
    if (char === '$' && !PLAIN_AFTER_DOLLAR.test(rest.slice(at + 1))) refuseDollar(rest.slice(at));
    const next = rest[at + 1] ?? '';
    const escaped = char === '\\' && '$`"\\\n'.includes(next) && next !== '';
    if (escaped) text += next === '\n' ? '' : next;
    else text += char;
    at += escaped ? 2 : 1;
  }
  return unreadable('syntax', 'a quote has no end');
}

function plainPart(rest: string, first: boolean, before: string): Part {
  const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (char === '`') unreadable('substitution', 'a backtick runs what is inside');
  if (char === '$') {
    if (rest.length > 1) refuseDollar(rest);
    return { text: '$', length: 1 };
  }
  if (ENDS_A_WORD.test(char)) unreadable('syntax', `${JSON.stringify(char)} stands inside a word`);
  if (char === '#' && first) unreadable('syntax', 'a comment stands where a word was expected');
  if (DOUBTFUL.test(char)) unreadable('characters', 'it holds a character that looks like none');
  // `{},}` is two words to bash; without another brace behind it, `{}` is one everywhere.
  if (rest.startsWith('{}') && !rest.includes('}', 2)) return { text: '{}', length: 2 };
  if (char === '{') unreadable('pattern', 'some shells make several words of { }');
  const open = '*?['.includes(char) || (char === '~' && (first || '=:'.includes(before)));
  return { text: char, length: char.length, open };
}

function refuseDollar(rest: string): never {
  if (rest.startsWith('$((')) unreadable('substitution', 'arithmetic may run commands');
  if (rest.startsWith('$(')) unreadable('substitution', '$( ) runs what is inside');
  if (/^\$['"]/.test(rest)) unreadable('variable', `shells differ about ${rest.slice(0, 2)}`);
  unreadable('variable', `the value of ${/^\$(?:\w+|\{[^}]{0,40}\}?|.)/s.exec(rest)?.[0] ?? '$'} is not known`);
}

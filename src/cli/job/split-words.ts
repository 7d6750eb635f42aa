import { BatonError } from '../../contracts/shared/errors.js';

/** A command as people type it, as words: blanks part them, quotes hold them together, no shell looks at it. */
export function splitWords(text: string, option: string): string[] {
  if (text.trimStart().startsWith('[')) return jsonWords(text, option);
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (quote) {
      if (character === quote) quote = undefined;
      else if (character === '\\' && quote === '"' && /["\\]/.test(text.charAt(index + 1))) {
        word = `${word ?? ''}${text.charAt(index + 1)}`;
        index += 1;
      } else word = `${word ?? ''}${character}`;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '\\' && index + 1 < text.length) {
      word = `${word ?? ''}${text.charAt(index + 1)}`;
      index += 1;
    } else word = `${word ?? ''}${character}`;
  }
  if (quote) throw new BatonError('USAGE', `--${option}: the quote ${quote} is not closed in ${JSON.stringify(text)}`);
  if (word !== undefined) words.push(word);
  if (words.length === 0 || words[0] === '') throw new BatonError('USAGE', `--${option} names no command`);
  return words;
}

function jsonWords(text: string, option: string): string[] {
  try {
    const words: unknown = JSON.parse(text);
    if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')) return words;
  } catch {
    // told below
  }
  throw new BatonError('USAGE', `--${option} is no list of words: ${text.slice(0, 80)}`);
}

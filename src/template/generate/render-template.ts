import { BatonError } from '../../contracts/shared/errors.js';
import { MARKER_BEGIN } from './marker.js';
import { PROJECT_NAME } from './placeholders.js';
import { isSpelling, spell } from './spellings.js';

export type Values = Readonly<Record<string, string>>;

/** What may stand between the beginning of a marker and its end. */
const REST = /([A-Za-z][A-Za-z0-9_]*)(?:\.([a-z]+))?\}\}/y;

/** Fills a text in one pass: what a value looks like is never read again. `place` is told in errors. */
export function renderTemplate(text: string, values: Values, place: string): string {
  let result = '';
  let at = 0;
  for (let begin = text.indexOf(MARKER_BEGIN); begin >= 0; begin = text.indexOf(MARKER_BEGIN, at)) {
    REST.lastIndex = begin + MARKER_BEGIN.length;
    const match = REST.exec(text);
    if (!match) throw problem(text, begin, place, 'a placeholder that is not closed, or has no name');
    const [, name = '', spelling] = match;
    const value = name === 'open' && !spelling ? MARKER_BEGIN : valueFor(values, name, spelling);
    if (value === undefined) {
      const called = spelling ? `${name}.${spelling}` : name;
      throw problem(text, begin, place, `the placeholder ${called}, which has no value`, { placeholder: called });
    }
    result += text.slice(at, begin) + value;
    at = REST.lastIndex;
  }
  return result + text.slice(at);
}

function valueFor(values: Values, name: string, spelling: string | undefined): string | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined || spelling === undefined) return value;
  return name === PROJECT_NAME && isSpelling(spelling) ? spell(value, spelling) : undefined;
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function problem(text: string, at: number, file: string, what: string, details: object = {}): BatonError {
  const line = lineAt(text, at);
  return new BatonError('TEMPLATE_INVALID', `${file}, line ${line}, has ${what}`, { ...details, file, line });
}

/**
 * The one choke point before anything is stored, logged or shown. `Scrubbed` can only be made here, so text that was
 * not scrubbed does not fit where text is persisted: forgetting it does not compile.
 *
 * S1  Nothing gets longer, so that what is at its limit stays within it.
 * S2  A value stays the same JSON: strings and keys are scrubbed each by itself, keys stay apart, numbers are left.
 * S3  Text stays valid JSON if it was, unless a secret reaches over the border of two strings (mask.ts).
 * S4  Time is linear in the text. Almost all of it holds no secret, so what finds nothing is what must be fast.
 */

import { cleanJson } from './scrub/clean-json.js';
import { openKeyAt } from './scrub/key-blocks.js';
import { maskSpans } from './scrub/mask.js';
import { findShapes } from './scrub/shape-finder.js';
import { jsonEscaped, spellingsOf } from './scrub/spellings.js';
import { createCutter, createValueFinder, NEEDLE_LENGTH_MIN } from './scrub/value-finder.js';

declare const scrubbed: unique symbol;
export type Scrubbed = string & { readonly [scrubbed]: true };

export interface Scrub {
  (text: string): Scrubbed;
  /** Serialises a value without its secrets. What is unchanged is what `JSON.stringify` makes of it. */
  json(value: object): { text: Scrubbed; changed: boolean };
  /** The last place up to `at` where a text that goes on can be cut, and no secret known by value in two. */
  cut(text: string, at: number): number;
  /**
   * Where a secret of several lines may begin that has not come to its end yet; the length of the text when there is
   * none. For whoever passes text on line by line.
   */
  openAt(text: string): number;
  /** From now on these values are secrets too. */
  learn(values: Iterable<string>): void;
}

/** `values` are secrets known by value: from the environment, the configuration, tokens. */
export function createScrub(values: Iterable<string>): Scrub {
  const known = new Set<string>();
  let findValues = createValueFinder([]);
  let findValuesInJson = findValues;
  let cutValues = createCutter([]);
  let ofLines: readonly string[] = [];
  const learn = (more: Iterable<string>): void => {
    const before = known.size;
    // Shorter values would be found inside ordinary words.
    for (const value of [...more].map(essence)) if (value.length >= NEEDLE_LENGTH_MIN) known.add(value);
    if (known.size === before) return;
    const needles = [...known].flatMap(spellingsOf);
    ofLines = needles.map(({ text }) => text).filter((text) => text.includes('\n'));
    findValues = createValueFinder(needles);
    cutValues = createCutter(needles);
    findValuesInJson = createValueFinder(needles.map((needle) => ({ ...needle, text: jsonEscaped(needle.text) })));
  };
  learn(values);

  const clean = (text: string): string => {
    const spans = findShapes(text);
    for (const span of findValues(text)) spans.push(span);
    return spans.length === 0 ? text : maskSpans(text, spans);
  };
  const json = (value: object) => {
    const text = JSON.stringify(value);
    const suspect = findValuesInJson(text).length > 0 || findShapes(text).length > 0;
    if (!suspect) return { text: text as Scrubbed, changed: false };
    const cleaned = JSON.stringify(cleanJson(JSON.parse(text), clean)) as Scrubbed;
    return { text: cleaned, changed: cleaned !== text };
  };
  const cut = (text: string, at: number): number => cutValues(text, at);
  const openAt = (text: string) => Math.min(openKeyAt(text), ...ofLines.map((value) => begunAt(text, value)));
  return Object.assign((text: string) => clean(text) as Scrubbed, { json, cut, openAt, learn });
}

/** Where the longest beginning of a value stands that a text ends with. */
function begunAt(text: string, value: string): number {
  const first = value.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - value.length + 1));
  while (at !== -1 && !value.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at === -1 ? text.length : at;
}

/** Without a line end that came with it from a file, and without half a character, whose other half may be anything. */
function essence(value: string): string {
  return value.trim().replace(/^[\udc00-\udfff]+|[\ud800-\udbff]+$/g, '');
}

/**
 * What each JSON Schema (draft-07) keyword in schemas/ means, as small cases in the spirit of the official suite but
 * written for Baton. The validators are compiled in strict mode, so every schema here names its types.
 */

import { COMBINING_GROUPS } from './draft7-keywords-combining.js';
import { FORMAT_GROUPS } from './draft7-keywords-formats.js';

type KeywordCase = readonly [about: string, value: unknown, valid: boolean];

export type KeywordGroup = {
  readonly keyword: string;
  readonly about: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly cases: readonly KeywordCase[];
  /** Lists or objects inside enum and const: no published schema has them, and the build refuses them. */
  readonly comparesDeeply?: true;
};

const TYPE_SAMPLES = {
  null: null,
  boolean: false,
  integer: 1,
  number: 1.5,
  string: '1',
  array: [1],
  object: { a: 1 },
} as const;
type TypeName = keyof typeof TYPE_SAMPLES;

/** Each type accepts its own sample and refuses all others; an integer is a number too. */
function typeGroup(type: TypeName): KeywordGroup {
  const accepts = (sample: TypeName): boolean => sample === type || (type === 'number' && sample === 'integer');
  const samples = Object.entries(TYPE_SAMPLES) as [TypeName, unknown][];
  return {
    keyword: 'type',
    about: type,
    schema: { type },
    cases: samples.map(([sample, value]) => [`${sample} for ${type}`, value, accepts(sample)]),
  };
}

const VALUE_GROUPS: readonly KeywordGroup[] = [
  ...(Object.keys(TYPE_SAMPLES) as TypeName[]).map(typeGroup),
  {
    keyword: 'type',
    about: 'an integer is a matter of value, not of spelling',
    schema: { type: 'integer' },
    cases: [
      ['1.0 is an integer', JSON.parse('1.0'), true],
      ['1e3 is an integer', JSON.parse('1e3'), true],
      ['minus zero is an integer', -0, true],
      ['1e21 is an integer', 1e21, true],
      ['1.1 is not', 1.1, false],
      ['the smallest double is not', 5e-324, false],
      ['a digit in quotes is not', '1', false],
      ['true is not', true, false],
    ],
  },
  {
    keyword: 'type',
    about: 'a list of types',
    schema: { type: ['string', 'null'] },
    cases: [
      ['the first', 'a', true],
      ['the second', null, true],
      ['neither', 0, false],
      ['an object is not null', {}, false],
    ],
  },
  {
    keyword: 'enum',
    about: 'one of the listed values',
    schema: { type: 'string', enum: ['low', 'normal'] },
    cases: [
      ['listed', 'low', true],
      ['not listed', 'high', false],
      ['other case', 'Low', false],
      ['with a space', 'low ', false],
      ['empty', '', false],
      ['in a list', ['low'], false],
    ],
  },
  {
    keyword: 'enum',
    about: 'values of several types are not confused',
    schema: { enum: [0, '1', false, null, [1], { a: 1 }] },
    comparesDeeply: true,
    cases: [
      ['zero', 0, true],
      ['zero as 0.0', JSON.parse('0.0'), true],
      ['zero in quotes', '0', false],
      ['false', false, true],
      ['true', true, false],
      ['one in quotes', '1', true],
      ['one', 1, false],
      ['null', null, true],
      ['an equal list', [1], true],
      ['a longer list', [1, 1], false],
      ['a list of text', ['1'], false],
      ['an equal object', { a: 1 }, true],
      ['an object with another value', { a: '1' }, false],
      ['an object with one field more', { a: 1, b: 2 }, false],
      ['an empty object', {}, false],
      ['an empty list', [], false],
    ],
  },
  {
    keyword: 'enum',
    about: 'plain values of several types are not confused',
    schema: { enum: [0, '1', false, null] },
    cases: [
      ['zero', 0, true],
      ['minus zero', -0, true],
      ['zero in quotes', '0', false],
      ['empty text', '', false],
      ['one', 1, false],
      ['one in quotes', '1', true],
      ['false', false, true],
      ['false in quotes', 'false', false],
      ['true', true, false],
      ['null', null, true],
      ['null in quotes', 'null', false],
      ['an empty list', [], false],
      ['an empty object', {}, false],
    ],
  },
  {
    keyword: 'const',
    about: 'exactly one text',
    schema: { type: 'string', const: 'assignment' },
    cases: [
      ['equal', 'assignment', true],
      ['other case', 'Assignment', false],
      ['longer', 'assignment ', false],
      ['null', null, false],
    ],
  },
  {
    keyword: 'const',
    about: 'false is not zero',
    schema: { const: false },
    cases: [
      ['false', false, true],
      ['zero', 0, false],
      ['empty text', '', false],
      ['null', null, false],
    ],
  },
  {
    keyword: 'const',
    about: 'an object is compared by content, whatever the order',
    schema: { const: { a: 1, b: [true, null] } },
    comparesDeeply: true,
    cases: [
      ['same order', { a: 1, b: [true, null] }, true],
      ['other order', { b: [true, null], a: 1 }, true],
      ['list in other order', { a: 1, b: [null, true] }, false],
      ['field missing', { a: 1 }, false],
      ['field more', { a: 1, b: [true, null], c: 0 }, false],
    ],
  },
  {
    keyword: 'minimum',
    about: 'the bound itself is allowed',
    schema: { type: 'number', minimum: 1.1 },
    cases: [
      ['above', 2.6, true],
      ['at', 1.1, true],
      ['below', 1.0999999, false],
      ['minus zero', -0, false],
    ],
  },
  {
    keyword: 'minimum',
    about: 'zero and minus zero are equal; other types are not its business',
    schema: { type: ['integer', 'string'], minimum: 0 },
    cases: [
      ['zero', 0, true],
      ['minus zero', -0, true],
      ['minus one', -1, false],
      ['text', 'x', true],
    ],
  },
  {
    keyword: 'maximum',
    about: 'the bound itself is allowed',
    schema: { type: 'number', maximum: 1 },
    cases: [
      ['below', 0.5, true],
      ['at', 1, true],
      ['at as 1.0', JSON.parse('1.0'), true],
      ['just above', 1.0000000000000002, false],
    ],
  },
  {
    keyword: 'exclusiveMinimum',
    about: 'the bound itself is refused',
    schema: { type: 'number', exclusiveMinimum: 0 },
    cases: [
      ['above', 1, true],
      ['just above', 5e-324, true],
      ['at', 0, false],
      ['at as minus zero', -0, false],
      ['below', -1, false],
    ],
  },
  {
    keyword: 'minLength',
    about: 'counted in characters, not in UTF-16 units',
    schema: { type: 'string', minLength: 2 },
    cases: [
      ['longer', 'abc', true],
      ['exact', 'ab', true],
      ['shorter', 'a', false],
      ['empty', '', false],
      ['one emoji is one character although it has two units', '😀', false],
      ['two emoji', '😀😀', true],
      ['a letter and its accent are two', 'e\u0301', true],
      ['a family joined to one picture is many', '👨\u200d👩\u200d👧', true],
      ['a lone half counts as one', '\ud83d', false],
      ['two halves in the wrong order count as two', '\ude00\ud83d', true],
    ],
  },
  {
    keyword: 'maxLength',
    about: 'counted in characters, not in UTF-16 units',
    schema: { type: 'string', maxLength: 2 },
    cases: [
      ['shorter', 'a', true],
      ['exact', 'ab', true],
      ['longer', 'abc', false],
      ['empty', '', true],
      ['two emoji are two characters although they have four units', '😀😀', true],
      ['three emoji', '😀😀😀', false],
      ['emoji and letters', '😀ab', false],
      ['a high half before a pair is a character of its own', '\ud83d😀', true],
    ],
  },
  {
    keyword: 'pattern',
    about: 'finds its match anywhere unless it is anchored',
    schema: { type: ['string', 'number'], pattern: 'a+' },
    cases: [
      ['inside', 'xxaayy', true],
      ['absent', 'xyz', false],
      ['empty', '', false],
      ['other types are not its business', 1, true],
    ],
  },
  {
    keyword: 'pattern',
    about: 'an anchored pattern covers the whole text',
    schema: { type: 'string', pattern: '^(T-[0-9]+|[0-9a-fA-F-]{36})$' },
    cases: [
      ['short id', 'T-1', true],
      ['uuid', '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4', true],
      ['trailing newline', 'T-1\n', false],
      ['second line', 'x\nT-1', false],
      ['arabic digit', 'T-٣', false],
      ['no digit', 'T-', false],
    ],
  },
  {
    keyword: 'pattern',
    about: 'not blank means one character that is no white space',
    schema: { type: 'string', pattern: '\\S' },
    cases: [
      ['text', ' a ', true],
      ['an emoji', '😀', true],
      ['spaces', '   ', false],
      ['tab and newline', '\t\n', false],
      ['no-break space', '\u00a0', false],
      ['line separator', '\u2028', false],
      ['byte order mark', '\ufeff', false],
      ['zero width space is no white space', '\u200b', true],
    ],
  },
];

export const KEYWORD_GROUPS: readonly KeywordGroup[] = [...VALUE_GROUPS, ...COMBINING_GROUPS, ...FORMAT_GROUPS];

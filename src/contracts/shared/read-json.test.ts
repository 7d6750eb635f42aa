import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Expectation, READER_CASES } from '../../../test/corpora/json-reader.js';
import { BYTES_MAX, readJson } from './read-json.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What the corpus calls the outcome, read off Baton's own answer. */
function outcome(input: string | Uint8Array): Expectation {
  const read = readJson(input);
  if ('value' in read) return 'accepted';
  if (read.denial.code === 'PAYLOAD_TOO_LARGE') return 'too-large';
  return read.denial.details?.problem as Expectation;
}

function standardParse(input: string | Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(typeof input === 'string' ? input : decoder.decode(input)) };
  } catch {
    return undefined;
  }
}

describe('the reader of JSON', () => {
  test.each(READER_CASES)('$name is $expect', ({ name, expect: expected, input }) => {
    const given = input();
    expect(outcome(given)).toBe(expected);
    const standard = standardParse(given);
    // The corpus must not lie about the standard either.
    if (name.startsWith('y_')) expect(readJson(given)).toEqual(standard);
    if (name.startsWith('n_')) expect(standard).toBeUndefined();
  });

  test('names are unique, so that a failure names one case', () => {
    const names = READER_CASES.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe('an input', () => {
  test.each(['{}{}', '{}\n{}', '{},{}', 'Here you are: {}', '{} Hope this helps!', '```json\n{}\n```'])(
    'is one JSON value and nothing around it: %j is refused [R097]',
    (text) => {
      expect(outcome(text)).toBe('syntax');
    },
  );

  // A text is measured in UTF-16 units today, so that three bytes count as one. Take `.fails` away once it is not.
  test('has the same limit in bytes whether it comes as bytes or as text', () => {
    const text = `"${'€'.repeat(1024 * 1024)}"`;
    expect(outcome(new TextEncoder().encode(text))).toBe('too-large');
    expect(outcome(text)).toBe('too-large');
  });
});

describe('what a refusal says', () => {
  test('an empty input is a missing input, everything else unreadable is an invalid one', () => {
    expect(readJson('')).toMatchObject({ denial: { allow: false, code: 'MISSING_REQUIRED_INPUT' } });
    expect(readJson('{')).toMatchObject({ denial: { allow: false, code: 'SCHEMA_INVALID' } });
  });

  test('the place is given as line and column, counted from one', () => {
    const read = readJson('{\n  "a": 1,\n  "b": oops\n}');
    expect(read).toMatchObject({ denial: { details: { problem: 'syntax', line: 3, column: 8 } } });
  });

  test('a duplicate key is reported where it stands the second time', () => {
    expect(readJson('{"a":1,\n"a":2}')).toMatchObject({
      denial: { details: { problem: 'duplicate-key', line: 2, column: 1 } },
    });
  });

  test('a size limit is reported with both figures, and a caller may set its own', () => {
    expect(readJson('"12345678"', 8)).toEqual({
      denial: {
        allow: false,
        code: 'PAYLOAD_TOO_LARGE',
        reason: 'the input has 10 bytes',
        details: { bytes: 10, bytes_max: 8 },
      },
    });
    expect(BYTES_MAX).toBe(2 * 1024 * 1024);
  });
});

/** Strings with the letters that JSON treats specially, so that mutations hit something. */
const awkwardText = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '/', 'u', '0', '\n', '\u2028', 'é', '😀', '{', '}', ',', ':', ' ', '\u007f'),
});
const anyJson = fc.jsonValue({ depthSize: 'medium', maxDepth: 6, noUnicodeString: false });
const awkwardJson = fc.oneof(anyJson, fc.dictionary(awkwardText, awkwardText), fc.array(awkwardText), fc.double());

/** Refusals that a value can earn although its text is JSON. */
const BY_POLICY: readonly Expectation[] = ['number-range', 'lone-surrogate', 'forbidden-key', 'nul'];

const PIECES = ['"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', ' ', '\\u0061', '\\ud83d', '\u0001', 'é'];

type Edit = { at: number; kind: 'delete' | 'insert' | 'replace' | 'double' | 'cut'; piece: string };
const anyEdit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('delete', 'insert', 'replace', 'double', 'cut'),
  piece: fc.constantFrom(...PIECES),
});

function edit(text: string, { at, kind, piece }: Edit): string {
  const place = text.length === 0 ? 0 : at % text.length;
  const [before, after] = [text.slice(0, place), text.slice(place)];
  switch (kind) {
    case 'delete':
      return before + after.slice(1);
    case 'insert':
      return before + piece + after;
    case 'replace':
      return before + piece + after.slice(1);
    case 'double':
      return before + after.slice(0, 4) + after;
    default:
      return before;
  }
}

describe('compared with JSON.parse', () => {
  test('every value that JSON.stringify writes is read back equal, or refused by name', () => {
    fc.assert(
      fc.property(awkwardJson, (value) => {
        const text = JSON.stringify(value);
        const read = readJson(text);
        if ('value' in read) expect(read.value).toEqual(JSON.parse(text));
        else expect(BY_POLICY).toContain(read.denial.details?.problem);
      }),
      { numRuns: 3000 },
    );
  });

  test('bytes and text of the same value are read the same', () => {
    fc.assert(
      fc.property(awkwardJson, (value) => {
        const text = JSON.stringify(value);
        expect(readJson(new TextEncoder().encode(text))).toEqual(readJson(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('whatever is done to a text, nothing is accepted that JSON.parse refuses or reads differently', () => {
    let accepted = 0;
    fc.assert(
      fc.property(awkwardJson, fc.array(anyEdit, { minLength: 1, maxLength: 4 }), (value, edits) => {
        const text = edits.reduce(edit, JSON.stringify(value));
        const standard = standardParse(text);
        const read = readJson(text);
        if ('value' in read) {
          accepted += 1;
          expect(read).toEqual(standard);
        } else if (standard) {
          expect([...BY_POLICY, 'duplicate-key', 'depth']).toContain(read.denial.details?.problem);
        }
      }),
      { numRuns: 6000 },
    );
    expect(accepted, 'mutations that leave JSON intact must occur, else this shows nothing').toBeGreaterThan(100);
  });

  test('random bytes never make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const read = readJson(bytes);
        if ('value' in read) expect(read).toEqual(standardParse(bytes));
      }),
      { numRuns: 3000 },
    );
  });
});

test('the corpus holds at least 250 cases; this is how they fall', () => {
  const counts = new Map<string, number>();
  for (const { input } of READER_CASES) {
    const found = outcome(input());
    counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const accepted = counts.get('accepted') ?? 0;
  const byProblem = [...counts].filter(([kind]) => kind !== 'accepted').map(([kind, count]) => `${kind} ${count}`);
  const refused = READER_CASES.length - accepted;
  console.log(
    `JSON corpus: ${READER_CASES.length} cases, ${accepted} accepted, ${refused} refused (${byProblem.join(', ')})`,
  );
  expect(READER_CASES.length).toBeGreaterThanOrEqual(250);
  expect(accepted).toBeGreaterThanOrEqual(100);
  expect(refused).toBeGreaterThanOrEqual(150);
});

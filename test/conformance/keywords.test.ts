import { describe, expect, test } from 'vitest';
import { KEYWORD_GROUPS } from '../corpora/draft7-keywords.js';
import { compiled, compiledByAjv, publishedSchemas } from './compiled.js';

/** Below these, names are the sender's and not keywords. */
const HOLD_NAMES = new Set(['properties', 'definitions', 'patternProperties']);
const HOLD_VALUES = new Set(['enum', 'const', 'default', 'discriminator', 'required']);

const used = new Set<string>();
const fields = new Set<string>();

function collect(node: unknown): void {
  if (Array.isArray(node)) for (const inner of node) collect(inner);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  for (const [keyword, inner] of Object.entries(node)) {
    used.add(keyword);
    if (keyword === 'required') for (const field of inner as string[]) fields.add(field);
    if (keyword === 'properties') for (const field of Object.keys(inner as object)) fields.add(field);
    if (HOLD_VALUES.has(keyword)) continue;
    if (HOLD_NAMES.has(keyword)) for (const named of Object.values(inner as object)) collect(named);
    else collect(inner);
  }
}

for (const { schema } of publishedSchemas) collect(schema);
const covered = new Set(KEYWORD_GROUPS.map(({ keyword }) => keyword));

describe('the keywords of draft-07 that the schemas use', () => {
  test.each([...used].sort())('%s has cases of its own', (keyword) => {
    expect([...covered]).toContain(keyword);
  });

  const rows = KEYWORD_GROUPS.map((group) => ({
    ...group,
    validate: group.comparesDeeply ? compiledByAjv(group.schema) : compiled(group.schema).validate,
  }));
  test.each(rows)('$keyword: $about', ({ cases, validate, keyword }) => {
    const wrong = cases.filter(([, value, valid]) => validate(value) !== valid).map(([about]) => about);
    expect(wrong, keyword).toEqual([]);
  });

  test('a schema that compares lists or objects is refused by the build, since its validator would need Ajv', () => {
    const deep = KEYWORD_GROUPS.filter((group) => group.comparesDeeply);
    expect(deep.length).toBeGreaterThan(0);
    for (const { schema } of deep) expect(() => compiled(schema)).toThrow('not mapped');
  });

  test('every group holds cases that fit and cases that do not, unless nothing can fail', () => {
    const neverFails = new Set(['definitions']);
    const lopsided = KEYWORD_GROUPS.filter(
      ({ cases, keyword }) => !neverFails.has(keyword) && new Set(cases.map(([, , valid]) => valid)).size < 2,
    );
    expect(lopsided).toEqual([]);
  });

  test('no schema names a field that every object inherits: the validators do not ask whose a field is', () => {
    expect(fields.size).toBeGreaterThan(100);
    expect([...fields].filter((field) => field in {})).toEqual([]);
  });

  test('this is how many there are', () => {
    const cases = KEYWORD_GROUPS.flatMap((group) => group.cases);
    const valid = cases.filter(([, , fits]) => fits).length;
    console.log(
      `draft-07 corpus: ${used.size} keywords, ${cases.length} cases, ${valid} fit, ${cases.length - valid} do not`,
    );
    expect(cases.length).toBeGreaterThanOrEqual(200);
  });
});

describe('strict mode closes every object that lists its fields (Extension Policy: x_ stays open)', () => {
  const listed = { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'integer' } } } } };
  const rows: [about: string, schema: object, value: unknown, plain: boolean, strict: boolean][] = [
    ['a listed field', listed, { a: { b: 1 } }, true, true],
    ['an unknown field', listed, { c: 1 }, true, false],
    ['an unknown field deeper down', listed, { a: { b: 1, c: 2 } }, true, false],
    ['an x_ field', listed, { x_c: 1 }, true, true],
    ['an x_ field deeper down', listed, { a: { x_c: [] } }, true, true],
    ['x_ alone is a name too', listed, { x_: 1 }, true, true],
    ['X_ in capitals is unknown', listed, { X_c: 1 }, true, false],
    ['x without underscore is unknown', listed, { xc: 1 }, true, false],
    ['x_ in the middle is unknown', listed, { ax_: 1 }, true, false],
    ['an object that lists nothing stays open', { type: 'object' }, { anything: 1 }, true, true],
    ['entries of a list', { type: 'array', items: listed }, [{ c: 1 }], true, false],
    [
      'an object that names what others may hold',
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'integer' } },
      { b: 1 },
      true,
      true,
    ],
    [
      'an object closed by its document, with an x_ field',
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      { x_b: 1 },
      false,
      true,
    ],
    [
      'a definition behind a reference',
      { type: 'object', properties: { a: { $ref: '#/definitions/A' } }, definitions: { A: listed } },
      { a: { c: 1 } },
      true,
      false,
    ],
    [
      'the condition of if is not closed',
      {
        type: 'object',
        if: { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { type: 'object', properties: { a: {}, b: {} } },
        else: { type: 'object', properties: { c: {} } },
      },
      { a: 1, b: 2 },
      true,
      true,
    ],
  ];

  test.each(rows)('%s', (_about, schema, value, plain, strict) => {
    const { validate, validateStrict } = compiled(schema);
    expect([validate(value), validateStrict(value)]).toEqual([plain, strict]);
  });

  test('a field the document names outside its schema is known', () => {
    const { validateStrict } = compiled({ type: 'object', properties: { a: {} } }, ['processing_history']);
    expect([validateStrict({ processing_history: [] }), validateStrict({ other: [] })]).toEqual([true, false]);
  });
});

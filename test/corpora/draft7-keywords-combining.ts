import type { KeywordGroup } from './draft7-keywords.js';

/** Keywords on objects and arrays, and those that combine schemas. */
export const COMBINING_GROUPS: readonly KeywordGroup[] = [
  {
    keyword: 'properties',
    about: 'checks what is there and demands nothing',
    schema: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } },
    cases: [
      ['both', { a: 1, b: 'x' }, true],
      ['none', {}, true],
      ['unknown field', { c: [] }, true],
      ['one wrong', { a: 'x', b: 'x' }, false],
      ['both wrong', { a: [], b: {} }, false],
      ['null is not absent', { a: null }, false],
    ],
  },
  {
    keyword: 'required',
    about: 'the field must be there, whatever its value',
    schema: { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {} } },
    cases: [
      ['both', { a: 1, b: 2 }, true],
      ['null counts as there', { a: null, b: null }, true],
      ['false, zero and empty count as there', { a: false, b: '' }, true],
      ['one absent', { a: 1 }, false],
      ['none', {}, false],
      ['other case', { A: 1, b: 2 }, false],
    ],
  },
  {
    keyword: 'additionalProperties',
    about: 'false refuses every field that is not listed',
    schema: { type: 'object', properties: { a: {} }, additionalProperties: false },
    cases: [
      ['listed', { a: 1 }, true],
      ['empty', {}, true],
      ['not listed', { a: 1, b: 2 }, false],
      ['not listed and null', { b: null }, false],
      ['empty name', { '': 1 }, false],
      ['x_ is not special here', { x_a: 1 }, false],
      ['a name that objects inherit', { toString: 1 }, false],
    ],
  },
  {
    keyword: 'additionalProperties',
    about: 'a schema holds for all fields that are not listed',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: { type: 'string', enum: ['pending', 'failed'] },
    },
    cases: [
      ['listed only', { a: 'anything' }, true],
      ['others right', { b: 'pending', c: 'failed' }, true],
      ['other wrong', { b: 'open' }, false],
      ['other of wrong type', { b: null }, false],
    ],
  },
  {
    keyword: 'propertyNames',
    about: 'holds for names, not for values',
    schema: { type: 'object', propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$', maxLength: 4 } },
    cases: [
      ['right', { AB_1: 'x' }, true],
      ['empty object', {}, true],
      ['lower case', { ab: 'x' }, false],
      ['too long', { ABCDE: 'x' }, false],
      ['one of two wrong', { AB: 1, 'A-B': 2 }, false],
    ],
  },
  {
    keyword: 'items',
    about: 'one schema for every entry',
    schema: { type: 'array', items: { type: 'integer' } },
    cases: [
      ['right', [1, 2, 3], true],
      ['empty', [], true],
      ['last wrong', [1, 'x'], false],
      ['null entry', [null], false],
      ['an object that looks like a list', { 0: 1, length: 1 }, false],
    ],
  },
  {
    keyword: 'items',
    about: 'nested lists',
    schema: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
    cases: [
      ['right', [['a'], []], true],
      ['not nested', ['a'], false],
      ['wrong inside', [['a'], [1]], false],
    ],
  },
  {
    keyword: 'minItems',
    about: 'counts entries of lists only',
    schema: { type: ['array', 'string'], minItems: 1, items: {} },
    cases: [
      ['exact', [1], true],
      ['more', [1, 2], true],
      ['empty', [], false],
      ['a null entry counts', [null], true],
      ['text is not its business', '', true],
    ],
  },
  {
    keyword: 'maxItems',
    about: 'counts entries of lists only',
    schema: { type: ['array', 'string'], maxItems: 2, items: {} },
    cases: [
      ['fewer', [1], true],
      ['exact', [1, 2], true],
      ['more', [1, 2, 3], false],
      ['text is not its business', 'abc', true],
    ],
  },
  {
    keyword: '$ref',
    about: 'stands for the definition it names',
    schema: {
      type: 'object',
      properties: { id: { $ref: '#/definitions/Id' }, next: { $ref: '#' } },
      definitions: { Id: { type: 'string', minLength: 1 } },
    },
    cases: [
      ['right', { id: 'a' }, true],
      ['wrong', { id: '' }, false],
      ['recursive and right', { id: 'a', next: { id: 'b', next: {} } }, true],
      ['recursive and wrong', { id: 'a', next: { id: 'b', next: { id: 1 } } }, false],
    ],
  },
  {
    keyword: 'definitions',
    about: 'demands nothing by itself',
    schema: { type: 'object', definitions: { Never: { type: 'string', maxLength: 0 } } },
    cases: [
      ['empty', {}, true],
      ['a field called like a definition', { Never: 1 }, true],
    ],
  },
  {
    keyword: 'allOf',
    about: 'every branch holds',
    schema: {
      type: 'object',
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        { type: 'object', required: ['b'], properties: { b: { type: 'string' } } },
      ],
    },
    cases: [
      ['both', { a: 1, b: 'x' }, true],
      ['first only', { a: 1 }, false],
      ['second only', { b: 'x' }, false],
      ['second wrong', { a: 1, b: 1 }, false],
    ],
  },
  {
    keyword: 'anyOf',
    about: 'at least one branch holds',
    schema: { anyOf: [{ type: 'integer' }, { type: 'number', minimum: 2 }] },
    cases: [
      ['first', 1, true],
      ['second', 2.5, true],
      ['both', 3, true],
      ['neither', 1.5, false],
      ['other type', 'x', false],
    ],
  },
  {
    keyword: 'oneOf',
    about: 'exactly one branch holds',
    schema: { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 2 }] },
    cases: [
      ['first', 1, true],
      ['second', 2.5, true],
      ['both', 3, false],
      ['neither', 1.5, false],
    ],
  },
  {
    keyword: 'discriminator',
    about: 'the tag chooses the branch',
    schema: {
      type: 'object',
      discriminator: { propertyName: 'type' },
      required: ['type'],
      oneOf: [
        { type: 'object', required: ['text'], properties: { type: { const: 'text' }, text: { type: 'string' } } },
        { type: 'object', required: ['path'], properties: { type: { const: 'image' }, path: { type: 'string' } } },
      ],
    },
    cases: [
      ['first', { type: 'text', text: 'a' }, true],
      ['second', { type: 'image', path: 'a' }, true],
      ['fields of the other branch do not help', { type: 'text', path: 'a' }, false],
      ['unknown tag', { type: 'video', path: 'a' }, false],
      ['no tag', { text: 'a' }, false],
      ['tag of wrong type', { type: 1, text: 'a' }, false],
      ['tag in a list', { type: ['text'], text: 'a' }, false],
    ],
  },
  {
    keyword: 'not',
    about: 'refuses what the inner schema accepts',
    schema: { type: 'string', not: { pattern: '^baton' } },
    cases: [
      ['does not fit inside', 'codex', true],
      ['fits inside', 'baton-1', false],
      ['in the middle', 'my baton', true],
      ['other type is refused by type', 1, false],
    ],
  },
  ...(['if', 'then', 'else'] as const).map(
    (keyword): KeywordGroup => ({
      keyword,
      about: 'the condition chooses the consequence and is no demand itself',
      schema: {
        type: 'object',
        if: { type: 'object', required: ['kind'], properties: { kind: { const: 'http' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { type: 'object', required: ['url'] },
        else: { type: 'object', required: ['command'] },
      },
      cases: [
        ['condition holds, then holds', { kind: 'http', url: 'u' }, true],
        ['condition holds, then does not', { kind: 'http', command: 'c' }, false],
        ['condition fails, else holds', { kind: 'shell', command: 'c' }, true],
        ['condition fails, else does not', { kind: 'shell', url: 'u' }, false],
        ['tag absent counts as else', { command: 'c' }, true],
      ],
    }),
  ),
  ...(['$schema', '$comment', 'title', 'description', 'default'] as const).map(
    (keyword): KeywordGroup => ({
      keyword,
      about: 'is a note to readers and changes nothing',
      schema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $comment: 'since 0.1.0',
        title: 'Note',
        description: 'A note.',
        type: 'object',
        properties: { priority: { type: 'string', enum: ['low', 'normal'], default: 'normal' } },
      },
      cases: [
        ['absent stays absent', {}, true],
        ['present', { priority: 'low' }, true],
        ['a default does not repair what is wrong', { priority: null }, false],
      ],
    }),
  ),
];

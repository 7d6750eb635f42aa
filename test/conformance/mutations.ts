import type { SchemaNode } from './schema-nodes.js';

/** One way to change a value, and the code that must follow. OK marks a value at the very edge of what is allowed. */
export type Mutation = { what: string; value: unknown; code: string };

const INVALID = 'SCHEMA_INVALID';
const MISSING = 'MISSING_REQUIRED_INPUT';

/** Every way in which this node alone can be violated by a value in this place, and its bounds from inside. */
export function* mutationsOf(node: SchemaNode, value: unknown): Iterable<Mutation> {
  yield* wrongTypes(node);
  yield* wrongWords(node, value);
  if (typeof value === 'string') {
    yield* wrongLengths(node);
    yield* wrongPatterns(node, value);
    yield* wrongFormats(node);
  }
  if (typeof value === 'number') yield* wrongNumbers(node);
  if (Array.isArray(value)) yield* wrongSizes(node, value);
}

/** The version of contract 003 has a code of its own, but only for a foreign major. */
export function* versionMutations(): Iterable<Mutation> {
  for (const value of ['2.0.0', '0.9.0', '10.0.0', '2.0']) {
    yield { what: `major of ${value}`, value, code: 'UNKNOWN_SCHEMA_VERSION' };
  }
  for (const value of ['', '1', '1.0', '1.0.0.0', '1.0.0-beta', '1.0.0\n', '1.x.0']) {
    yield { what: `version ${JSON.stringify(value)}`, value, code: INVALID };
  }
  for (const value of ['1.0.0', '1.99.0']) yield { what: `version ${value}`, value, code: 'OK' };
}

const ONE_OF_EACH_TYPE = { null: null, boolean: true, number: 7, string: 'text', array: [], object: {} } as const;

function* wrongTypes({ type }: SchemaNode): Iterable<Mutation> {
  if (type === undefined) return;
  const allowed = new Set([type].flat());
  for (const [name, value] of Object.entries(ONE_OF_EACH_TYPE)) {
    const fits = allowed.has(name) || (name === 'number' && allowed.has('integer'));
    if (!fits) yield { what: `${name} instead of ${[type].flat().join(' or ')}`, value, code: INVALID };
  }
  if (allowed.has('integer') && !allowed.has('number')) yield { what: 'fraction', value: 1.5, code: INVALID };
}

function* wrongWords({ enum: words, const: word }: SchemaNode, value: unknown): Iterable<Mutation> {
  if (word !== undefined) yield { what: 'other than the constant', value: `${word}_`, code: INVALID };
  if (!words) return;
  const invented = ['no such value', flipCase(value)].filter((candidate) => !words.includes(candidate));
  for (const candidate of invented) yield { what: `not in enum: ${candidate}`, value: candidate, code: INVALID };
}

function flipCase(value: unknown): unknown {
  const text = String(value);
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

function* wrongLengths({ minLength, maxLength, pattern, format }: SchemaNode): Iterable<Mutation> {
  const free = format === undefined && (pattern === undefined || pattern === '\\S');
  if (minLength !== undefined && minLength > 0) {
    yield { what: 'too short', value: 'a'.repeat(minLength - 1), code: INVALID };
    if (free) yield { what: 'as short as allowed', value: 'a'.repeat(minLength), code: 'OK' };
  }
  if (maxLength === undefined) return;
  yield { what: 'too long', value: filled(maxLength + 1, 'a'), code: INVALID };
  if (!free) return;
  yield { what: 'as long as allowed', value: filled(maxLength, 'a'), code: 'OK' };
  yield { what: 'as long as allowed, beyond the BMP', value: filled(maxLength, '😀'), code: 'OK' };
}

/** Slashes in between, so that a path as long as its contract allows has no name longer than a disk allows. */
function filled(length: number, character: string): string {
  return Array.from({ length }, (_, index) => (index % 50 === 49 && index !== length - 1 ? '/' : character)).join('');
}

function* wrongPatterns({ pattern }: SchemaNode, value: string): Iterable<Mutation> {
  if (pattern === undefined) return;
  const allowed = new RegExp(pattern, 'u');
  const nearMisses = ['', '   ', '\u00a0', `${value}\n`, `${value} `, ` ${value}`, `${value}\u0661`, 'no match: {}'];
  for (const candidate of nearMisses.filter((text) => !allowed.test(text))) {
    yield { what: `against the pattern: ${JSON.stringify(candidate)}`, value: candidate, code: INVALID };
  }
}

const WRONG_FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    '',
    'yesterday',
    '2025-11-20',
    '2025-11-20 10:00:00Z',
    '2025-11-20T10:00:00',
    '2025-02-30T10:00:00Z',
    '2025-11-20T24:00:00Z',
    '2025-11-20T10:00:00+24:00',
    '2025-11-20T10:00:00Z\n',
    '20251120T100000Z',
  ],
  uuid: [
    '',
    'not-a-uuid',
    '-'.repeat(36),
    '{550e8400-e29b-41d4-a716-446655440000}',
    '550e8400e29b41d4a716446655440000',
  ],
};

function* wrongFormats({ format }: SchemaNode): Iterable<Mutation> {
  if (format === undefined) return;
  const wrong = WRONG_FORMATS[format];
  if (!wrong) throw new Error(`no wrong values are known for the format ${format}`);
  for (const value of wrong) yield { what: `no ${format}: ${JSON.stringify(value)}`, value, code: INVALID };
}

function* wrongNumbers({ type, minimum, exclusiveMinimum, maximum }: SchemaNode): Iterable<Mutation> {
  const step = [type].flat().includes('number') ? 0.001 : 1;
  if (minimum !== undefined) {
    yield { what: 'below the minimum', value: minimum - step, code: INVALID };
    yield { what: 'the minimum', value: minimum, code: 'OK' };
  }
  if (exclusiveMinimum !== undefined) {
    yield { what: 'not above the exclusive minimum', value: exclusiveMinimum, code: INVALID };
    yield { what: 'just above the exclusive minimum', value: exclusiveMinimum + step, code: 'OK' };
  }
  if (maximum !== undefined) {
    yield { what: 'above the maximum', value: maximum + step, code: INVALID };
    yield { what: 'the maximum', value: maximum, code: 'OK' };
  }
}

function* wrongSizes({ minItems, maxItems }: SchemaNode, value: readonly unknown[]): Iterable<Mutation> {
  if (minItems !== undefined && minItems > 0) {
    yield { what: 'emptied', value: [], code: minItems === 1 ? MISSING : INVALID };
  }
  const [first] = value;
  if (maxItems === undefined || first === undefined) return;
  yield { what: 'too many items', value: Array(maxItems + 1).fill(first), code: INVALID };
  yield { what: 'as many items as allowed', value: Array(maxItems).fill(first), code: 'OK' };
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.js';

test('keys stand in the order of their code units at every depth, without whitespace', () => {
  const value = { b: [{ z: 1, '€': 2, a: 3 }], '10': 1, '9': 2, A: { y: null, x: true } };
  expect(canonicalJson(value)).toBe('{"10":1,"9":2,"A":{"x":true,"y":null},"b":[{"a":3,"z":1,"€":2}]}');
});

test('numbers are written as JSON writes them, and there is one zero', () => {
  expect(canonicalJson([1.0, -0, 1e21, 0.1, -5])).toBe('[1,0,1e+21,0.1,-5]');
});

test('a field without a value does not count', () => {
  expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
});

test('the order in which keys came does not matter, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(reversed(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

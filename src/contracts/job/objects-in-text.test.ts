import { describe, expect, test } from 'vitest';
import { objectsInText } from './objects-in-text.js';

const found = (text: string) => {
  const { spans, unclosed } = objectsInText(text, 9);
  return [...spans.map(({ from, to }) => text.slice(from, to)), ...(unclosed ? ['unclosed'] : [])];
};

describe('an object in a text', () => {
  test.each([
    ['', []],
    ['a } b', []],
    ['{ a } {b} {1} {[]}', []],
    ['x {} y', ['{}']],
    ['x { } {\t\r\n"a":1}', ['{ }', '{\t\r\n"a":1}']],
    ['{"a":{"b":{}}}', ['{"a":{"b":{}}}']],
    ['{"}":"{\\"}"} {}', ['{"}":"{\\"}"}', '{}']],
    ['"{"a":1}"', ['{"a":1}']],
    ['it\'s { not {"a":1}', ['{"a":1}']],
    ['{} {"a', ['{}', 'unclosed']],
    ['{"a":"\\', ['unclosed']],
  ])('%j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test('is looked for until there are enough', () => {
    expect(objectsInText('{}{}{}', 2)).toEqual({
      spans: [
        { from: 0, to: 2 },
        { from: 2, to: 4 },
      ],
      unclosed: false,
    });
  });

  test.each(['{', '{ ', '{"', '{"a":', '}', '"', '\\', '{}', '{"\\'])('takes linear time: 50 MB of %j', (part) => {
    const text = part.repeat(50_000_000 / part.length);
    const from = performance.now();
    objectsInText(text, 1_000);
    expect(performance.now() - from).toBeLessThan(20_000);
  });
});

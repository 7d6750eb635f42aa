import { expect, test } from 'vitest';
import { toolNames } from './tool-names.js';

const named = (...tools: [server: string, tool: string][]) => [
  ...toolNames(tools.map(([server, tool]) => ({ server, tool }))).keys(),
];

test('a tool is named after its server', () => {
  expect(named(['docs', 'search'])).toEqual(['mcp__docs__search']);
});

test('names are clean, at most 64 characters long, and no two are alike', () => {
  const odd = named(
    ['a', 'b c'],
    ['a', 'b.c'],
    ['a', 'b_c'],
    ['a', 'x'.repeat(100)],
    ['a', `${'x'.repeat(99)}y`],
    ['ä', '💥'],
  );
  expect(new Set(odd).size).toBe(6);
  for (const name of odd) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(named(['a', 'b c'])).toEqual(['mcp__a__b_c']);
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tidyProblems } from './tidy/problems.js';

const SRC = path.join(import.meta.dirname, '../src');

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('contracts/generated/'));

test.each(FILES)('src/%s is tidy', (file) => {
  expect(tidyProblems(file, readFileSync(path.join(SRC, file), 'utf8'))).toEqual([]);
});

describe('the tidy rules see', () => {
  const cases: [what: string, file: string, text: string, problem: RegExp][] = [
    [
      'a static import against the layers',
      'core/job/a.ts',
      "import { x } from '../../engine/b.js';",
      /core may not know engine/,
    ],
    [
      'a dynamic import against the layers',
      'engine/a.ts',
      "const x = () => import('../store/sqlite.js');",
      /engine may not know store/,
    ],
    [
      'a type import against the layers',
      'contracts/a.ts',
      "type T = import('../core/b.js').T;",
      /contracts may not know core/,
    ],
    ['a side-effect import', 'core/a/b.ts', "import 'node:fs';", /runs without Node/],
    ['require', 'contracts/a.ts', "const fs = require('fs');", /runs without Node/],
    ['a computed import', 'cli/a.ts', 'const x = (m: string) => import(m);', /computed/],
    ['a package in the engine', 'engine/a.ts', "import pino from 'pino';", /without packages/],
    ['an import of wiring', 'server/a.ts', "import { wire } from '../wiring.js';", /only main.ts/],
    ['the clock in core', 'core/a/b.ts', 'export const now = () => Date.now();', /uses Date.now/],
    ['a bare new Date in the engine', 'engine/a.ts', 'export const now = () => new Date();', /new Date\(\)/],
    ['a timer in the engine', 'engine/a.ts', 'setTimeout(() => {}, 1);', /uses setTimeout/],
    ['chance in core', 'core/a/b.ts', 'export const x = Math.random();', /Math.random/],
    ['process in contracts', 'contracts/a.ts', 'export const x = process.env;', /Node's process/],
    ['a promise in core', 'core/a/b.ts', 'export async function f() { return 1; }', /asynchronous/],
    ['a file that is too long', 'cli/a.ts', '\n'.repeat(401), /402 lines/],
    ['a function that is too long', 'cli/a.ts', `export function f() {${'\n'.repeat(71)}}`, /f has 72 lines/],
    ['a name that says nothing', 'cli/helpers.ts', 'export const x = 1;', /explains nothing/],
    ['a barrel', 'cli/all.ts', "export { x } from './a.js';", /only re-exports/],
    ['an unknown layer', 'stuff/a.ts', 'export const x = 1;', /no layer/],
    ['a stray root file', 'stray.ts', 'export const x = 1;', /directly under/],
  ];

  test.each(cases)('%s', (_, file, text, problem) => {
    expect(tidyProblems(file, text).join('\n')).toMatch(problem);
  });

  test('nothing wrong with words in comments, strings and property names', () => {
    const text =
      "// Date.now() and setTimeout\nexport const process = (job: { process: string }) => job.process + 'Math.random';";
    expect(tidyProblems('core/job/word.ts', text.replace('process = (job', 'work = (job'))).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/catalogue.js';
import { findCommand, parseWords } from '../../src/cli/parse-command.js';
import { splitWords } from '../../src/settings/split-words.js';
import { ROOT } from '../cli/run-bin.js';

const FOLDER = path.join(ROOT, 'src/console');
/** A whole string that is a command; what stands in its place is put in later. */
const SHOWN = /(['"`])(baton(?: (?:(?!\1).)*)?)\1/g;

function shownIn(file: string): string[] {
  const text = readFileSync(path.join(FOLDER, file), 'utf8');
  return [...text.matchAll(SHOWN)].map(([, , line = '']) =>
    line.replace(/(--)?\$\{(?:[^{}]|\{[^}]*\})*\}/g, (_, flag) => (flag ? '' : '7')),
  );
}

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.tsx?$/.test(file),
);
// Which act it is, is put in: `baton job 7 7`.
const lines = [...new Set(files.flatMap(shownIn))].filter((line) => !line.startsWith('baton job 7'));

test('the pages show commands', () => expect(lines.length).toBeGreaterThan(10));

test.each(lines)('%s can be typed', (line) => {
  const [, ...words] = splitWords(line.replace(/…/g, '7'), 'command');
  const spec = words.length === 0 ? findCommand(['status'], COMMANDS) : findCommand(words, COMMANDS);
  expect(spec?.name, 'no command').toBeDefined();
  if (!spec || words.length === 0) return;
  const given = words.slice(spec.name.split(' ').length);
  const choicesOf = (index: number) => spec.options?.[given[index - 1]?.slice(2) ?? '']?.choices;
  const chosen = given.map((word, index) => (word === '7' ? (choicesOf(index)?.[0] ?? word) : word));
  parseWords(spec, chosen);
});

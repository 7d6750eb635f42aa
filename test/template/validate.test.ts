import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { assembleTemplate } from '../../src/template/generate/assemble.js';
import { Making, withoutFiles } from '../../src/template/generate/making.js';
import { validateTemplate } from '../../src/template/generate/validate-template.js';
import { ORDER_SERVICE } from './kit/projects.js';
import { temporaryFolder, writeFiles } from './kit/write-files.js';

async function given() {
  const folder = temporaryFolder();
  const project = writeFiles(path.join(folder, 'source'), ORDER_SERVICE);
  const output = path.join(folder, 'made');
  const memory = withoutFiles();
  const about = { name: 'helper', description: 'Helps', technologies: [], priority: 1, source: 'agent' };
  memory.data.agents = [{ ...about, body: 'Be kind.' }];
  const places = { name: 'made', project, output };
  const parts = await new Making(memory, places, (text) => text).parts();
  await assembleTemplate(places, parts);
  const { root, paths, templater } = parts;
  return { output, project, validate: () => validateTemplate(output, { root, paths, findName: templater.findName }) };
}

function change(folder: string, file: string, from: string | RegExp, to: string): void {
  const before = readFileSync(path.join(folder, file), 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(path.join(folder, file), after);
}

describe('validation of a template', () => {
  test('finds nothing in one that was just made', async () => {
    expect(await (await given()).validate()).toEqual([]);
  });

  test.each<[what: string, file: string, from: string | RegExp, to: string, found: object]>([
    [
      'a line that does not come out as it was',
      'templates/src/main.ts',
      'take(1, 12)',
      'take(1, 13)',
      { file: 'src/main.ts', line: 5, problem: expect.stringContaining('as it is in the project') },
    ],
    [
      'a placeholder that nobody knows',
      'templates/src/main.ts',
      'const ',
      'const {{baton.colour}}',
      { file: 'templates/src/main.ts', line: 4, problem: expect.stringContaining('colour') },
    ],
    [
      'the old name where it should be replaced',
      'templates/src/main.ts',
      /\{\{baton\.project_name\.camel\}\}/,
      'orderService',
      { file: 'templates/src/main.ts', line: 4, problem: expect.stringContaining('name of the project') },
    ],
    ['a manifest that is not JSON', 'manifest.json', '{', '', { file: 'manifest.json', line: null }],
    [
      'a default that does not fit',
      'manifest.json',
      '"default": "1.4.0"',
      '"default": "newest"',
      { file: 'manifest.json', line: null, problem: expect.stringContaining('version') },
    ],
    ['an agent without front matter', 'agents/helper.md', /^---\n/, '', { file: 'agents/helper.md', line: null }],
  ])('finds %s', async (_, file, from, to, found) => {
    const { output, validate } = await given();
    change(output, file, from, to);
    expect(await validate()).toContainEqual(expect.objectContaining(found));
  });

  test('finds files that are missing or too many', async () => {
    const { output, validate } = await given();
    writeFiles(output, { 'templates/extra.txt': 'x' });
    expect(await validate()).toContainEqual({
      file: 'extra.txt',
      line: null,
      problem: 'comes out of the template but was not chosen',
    });
  });
});

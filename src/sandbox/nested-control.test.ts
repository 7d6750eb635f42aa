import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { controlFilesBelowAll } from './nested-control.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-nested-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), '');
}
async function below(): Promise<{ control: string[]; isWhole: boolean }> {
  const found = await controlFilesBelowAll([root, path.join(root, 'a')]);
  if ('reason' in found) throw new Error(found.reason);
  return { ...found, control: found.control.map((file) => path.relative(root, file)).sort() };
}
const deep = (folders: number): string => `${'d/'.repeat(folders)}baton.json`;

describe('what is guarded below a folder', () => {
  test('are repositories, names of repositories elsewhere, and project files that are there; nothing in node_modules', async () => {
    for (const file of ['a/.git/config', 'a/.git/sub/.git/config', 'b/c/.git', 'd/baton.json']) put(file);
    for (const file of ['a/.git/hooks/x', 'a/.git/info/exclude', 'g/.git/hooks/x', 'h/.git/config']) put(file);
    for (const file of ['node_modules/x/.git/config', 'e/node_modules/baton.json']) put(file);
    mkdirSync(path.join(root, 'f/baton.json'), { recursive: true });
    expect(await below()).toEqual({
      control: [
        ...['a/.git/config', 'a/.git/hooks', 'a/.git/info', 'b/c/.git', 'd/baton.json'],
        // Settings or hooks could be made there.
        ...['g/.git', 'h/.git'],
      ],
      isWhole: true,
    });
  });

  test('is looked for ten folders deep, and it is said when there are more', async () => {
    put(deep(10));
    expect(await below()).toEqual({ control: [deep(10)], isWhole: true });
    put(deep(11));
    expect(await below()).toEqual({ control: [deep(10)], isWhole: false });
  });

  test('is refused when it is too much', async () => {
    for (let count = 0; count < 64; count += 1) put(`many/${count}/.git`);
    expect((await below()).control).toHaveLength(64);
    put('many/64/.git');
    expect(await controlFilesBelowAll([root])).toEqual({
      reason: `${root} holds more than 64 repositories: work in one of them`,
    });
  });
});

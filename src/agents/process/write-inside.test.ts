import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeInside } from './write-inside.js';

let root: string;
const at = (name: string) => path.join(root, name);

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'baton-inside-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(at('state'));
  writeFileSync(at('mine'), 'mine');
});

test('a file is written into folders that are made for it', () => {
  expect(writeInside(at('state'), 'a/b/form.json', '1')).toBe(at('state/a/b/form.json'));
  expect(readFileSync(writeInside(at('state'), 'a/b/form.json', '2'), 'utf8')).toBe('2');
});

test('a link that an agent has put in its place is replaced, and what it leads to is left alone', () => {
  for (const name of ['form.json', 'form.json.new']) symlinkSync(at('mine'), at(`state/${name}`));
  writeInside(at('state'), 'form.json', 'ours');
  expect([readFileSync(at('mine'), 'utf8'), readFileSync(at('state/form.json'), 'utf8')]).toEqual(['mine', 'ours']);
});

test('a link on the way there is not followed', () => {
  mkdirSync(at('other'));
  symlinkSync(at('other'), at('state/a'));
  expect(() => writeInside(at('state'), 'a/form.json', 'ours')).toThrow('is no folder');
  expect(existsSync(at('other/form.json'))).toBe(false);
});

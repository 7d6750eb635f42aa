import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findProgram } from './find-program.js';

const root = mkdtempSync(path.join(os.tmpdir(), 'baton-find-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (...parts: string[]): string => path.join(root, ...parts);
for (const folder of ['a', 'b', 'cwd', 'a/folder']) mkdirSync(at(folder));
writeFileSync(at('b', 'tool'), '', { mode: 0o755 });
writeFileSync(at('a', 'plain'), '', { mode: 0o644 });
writeFileSync(at('cwd', 'tool'), '', { mode: 0o755 });
const PATH = `${at('a')}:${at('b')}`;
const cwd = at('cwd');

test('a name is looked for along PATH', () => {
  expect(findProgram('tool', { cwd, PATH })).toEqual({ file: at('b', 'tool') });
});

test('what cannot be looked at is passed over', () => {
  symlinkSync('loop', at('a', 'loop'));
  writeFileSync(at('b', 'loop'), '', { mode: 0o755 });
  expect(findProgram('loop', { cwd, PATH })).toEqual({ file: at('b', 'loop') });
});

test('a path is taken from the working folder', () => {
  expect(findProgram('./tool', { cwd, PATH })).toEqual({ file: at('cwd', 'tool') });
});

test.each(['', '.', ':', './', `.:${'x'}`])('PATH=%j never means the working folder', (empty) => {
  expect(findProgram('tool', { cwd, PATH: empty })).toMatchObject({ exitCode: 127 });
});

test.each(['plain', 'folder'])('%s is there but cannot be executed', (name) => {
  expect(findProgram(name, { cwd, PATH })).toEqual({
    exitCode: 126,
    reason: `${at('a', name)} is not an executable file`,
  });
});

test.each(['', 'a\0b', 'nothing', './nothing', 'plain/x'])('%j is not found', (name) => {
  expect(findProgram(name, { cwd, PATH })).toMatchObject({ exitCode: 127 });
});

test('without PATH the usual folders are searched', () => {
  expect(findProgram('sh', { cwd, PATH: undefined })).toHaveProperty('file');
});

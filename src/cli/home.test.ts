import { expect, test } from 'vitest';
import { homeFolder, tilde } from './home.js';
import { isUtf8 } from './locale.js';
import { wrapText } from './wrap-text.js';

test('the home is BATON_HOME, from where one stands, else .baton of the user', () => {
  const home = (env: Record<string, string>) => homeFolder({ env: { HOME: '/home/anna', ...env }, cwd: '/somewhere' });
  expect(home({})).toBe('/home/anna/.baton');
  expect(home({ BATON_HOME: '' })).toBe('/home/anna/.baton');
  expect(home({ BATON_HOME: '/x' })).toBe('/x');
  expect(home({ BATON_HOME: 'mine' })).toBe('/somewhere/mine');
});

test('only paths inside the user folder are shortened', () => {
  const short = (file: string) => tilde(file, '/home/anna');
  expect(['/home/anna', '/home/anna/a/b', '/home/annabel', '/etc'].map(short)).toEqual([
    '~',
    '~/a/b',
    '/home/annabel',
    '/etc',
  ]);
});

test('the first variable that is set decides about UTF-8', () => {
  expect(isUtf8({ LANG: 'de_DE.UTF-8' })).toBe(true);
  expect(isUtf8({ LANG: 'C.utf8' })).toBe(true);
  expect(isUtf8({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' })).toBe(false);
  expect(isUtf8({ LC_ALL: '', LC_CTYPE: 'en_US.UTF-8', LANG: 'C' })).toBe(true);
  expect(isUtf8({})).toBe(false);
});

test('text is broken at spaces, gaps stay, and a long word has its own line', () => {
  expect(wrapText('a   b c', 5)).toEqual(['a   b', 'c']);
  expect(wrapText('short averyverylongword x', 8)).toEqual(['short', 'averyverylongword', 'x']);
  expect(wrapText('', 8)).toEqual([]);
});

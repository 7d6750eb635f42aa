import { expect, test } from 'vitest';
import { homeFolder, tilde } from './home.js';

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

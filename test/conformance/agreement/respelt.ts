import type { Random } from '../../fuzz/random.js';

/** The same path in other letters, one near it, or one that is none. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path) => path.toLowerCase(),
  (path) => path.normalize('NFD'),
  (path) => `./${path}`,
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => ` ${path}\t`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replaceAll('/', '/./'),
  (path) => `other/../${path}`,
  (path) => `${path}/deeper/..`,
  (path) => `${path}/inside`,
  (path) => `${path}-beside`,
  (path) => path.slice(0, -1),
  (path) => path.split('/').slice(0, -1).join('/') || '.',
  (path) => path.split('/')[0] as string,
  () => '.',
  () => '/',
  () => 'gone/..',
  (path) => `../${path}`,
  (path) => `${path}/../../..`,
  (path) => `${path}/*`,
  (path) => `${path}?`,
  (path) => `${path}/[id]`,
  (path) => `${path}\u202e`,
  (path) => `${path}\u0007`,
  (path) => `\u061c${path}`,
  (path) => `./ ${path}`,
  (path) => `${path} /`,
  (path) => path.replace('\u00df', 'ss'),
  (path) => path.replace('\u00df', 'SS'),
  (path) => path.replace('\u03c3', '\u03c2'),
  (path) => path.replace('a', '\u0430'),
  (path) => path.replace('k', '\u212a'),
  (path) => `${path}.`,
  (path) => `${path} /x`,
  (path) => `${path}%2f..`,
];

export function respelt(random: Random, path: string): string {
  const once = random.pick(SPELLINGS)(path);
  return random.chance(0.3) ? random.pick(SPELLINGS)(once) : once;
}

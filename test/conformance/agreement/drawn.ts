/** Small harmless pieces that packets are made of. */

import type { Random } from '../../fuzz/random.js';

export const STATUSES = ['todo', 'in_progress', 'blocked', 'done', 'failed', 'canceled'] as const;

const FOLDERS = ['src', 'tests', 'docs', 'lib', 'caf\u00e9', 'stra\u00dfe', '\u03b1\u03c3', 'app/[id]', 'a b'];
const SENTENCES = [
  'All endpoint tests pass',
  'No warnings',
  'The page loads',
  'Prüfe alles',
  '完了',
  'see {"a":1} there',
];
const CODES = ['TASK_TIMEOUT', 'LOCK_CONFLICT', 'SCHEMA_INVALID', 'SCOPE_VIOLATION'];
/** 2026-01-01T00:00:00Z */
const NEW_YEAR_MS = 1_767_225_600_000;

export const sentence = (random: Random): string => random.pick(SENTENCES);
export const errorCode = (random: Random): string => random.pick(CODES);

export function uuid(random: Random): string {
  const digits = (count: number): string => Array.from({ length: count }, () => random.below(16).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-${random.pick(['8', '9', 'a', 'b'])}${digits(3)}-${digits(12)}`;
}

export function momentAt(offsetMs: number): string {
  return new Date(NEW_YEAR_MS + offsetMs).toISOString();
}

/** Paths that never meet each other: each has a number of its own. */
export function pathsApart(random: Random, count: number): string[] {
  const first = random.below(1000);
  return Array.from({ length: count }, (_, index) => {
    const folder = `${random.pick(FOLDERS)}${first + index}`;
    return random.chance(0.5) ? folder : `${folder}/${random.pick(['a.ts', 'b/c.py', '.env', 'deep/er/still'])}`;
  });
}

/** Task ids that differ; once in a while one is a UUID. */
export function taskIds(random: Random, count: number): string[] {
  const first = random.below(50);
  return Array.from({ length: count }, (_, index) => (random.chance(0.1) ? uuid(random) : `T-${first + index}`));
}

/** Seldom many: only long lists reach the code that is made for long lists. */
export function howMany(random: Random, least: number): number {
  return least + (random.chance(0.05) ? random.below(40) : random.below(4));
}

export function sometimes<T extends object>(random: Random, fields: () => T): T | Record<never, never> {
  return random.chance(0.3) ? fields() : {};
}

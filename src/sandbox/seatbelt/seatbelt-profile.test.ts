import { describe, expect, test } from 'vitest';
import { seatbeltProfile } from './seatbelt-profile.js';

const HOME = '/Users/anna';
const WORK = '/Users/anna/.baton/jobs/run-1/workspace';
const request = {
  writable: [WORK],
  readOnly: ['/Users/anna/.nvm'],
  hidden: ['/Users/anna/.baton'],
  control: [`${WORK}/baton.json`, `${WORK}/.git/config`],
  scratch: '/private/var/folders/x/baton-scratch-1',
  home: HOME,
  ports: [4100],
};
const lines = (changes = {}): string[] => seatbeltProfile({ ...request, ...changes }).split('\n');
const at = (line: string): number => {
  const index = lines().indexOf(line);
  if (index < 0) throw new Error(`there is no line ${line}`);
  return index;
};

describe('the profile', () => {
  test('allows nothing that it does not name', () => {
    expect(lines().slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(lines().join('\n')).not.toMatch(/allow default|allow network\*|allow mach\*|allow file-write\*\)/);
  });

  test('puts the longer path later, where it decides', () => {
    const order = [
      '(allow file-read*)',
      `(deny file-read* file-write* (subpath "${HOME}"))`,
      '(deny file-read* file-write* (subpath "/Users/anna/.baton"))',
      `(allow file-read* file-write* (subpath "${WORK}"))`,
      `(deny file-write* (subpath "${WORK}/baton.json"))`,
      `(deny file-write* (subpath "${WORK}/.git/config"))`,
    ].map(at);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('opens a path inside a workspace that is only to be read', () => {
    const scoped = lines({ writable: [`${WORK}/src`, `${WORK}/log.jsonl`], readOnly: [WORK], control: [] });
    const order = [
      '(deny file-read* file-write* (subpath "/Users/anna/.baton"))',
      `(allow file-read* (subpath "${WORK}"))`,
      `(allow file-read* file-write* (subpath "${WORK}/src"))`,
    ].map((line) => scoped.indexOf(line));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(scoped).toContain(`(allow file-read* file-write* (subpath "${WORK}/log.jsonl"))`);
    expect(scoped.filter((line) => line.includes('allow file-read* file-write*'))).toHaveLength(3);
    expect(scoped, 'nothing else is opened by it').not.toContain(`(allow file-read* file-write* (subpath "${WORK}"))`);
  });

  test('keeps the folders of control files from being moved aside', () => {
    expect(at(`(deny file-write-unlink (literal "${WORK}/.git"))`)).toBeGreaterThan(
      at(`(allow file-read* file-write* (subpath "${WORK}"))`),
    );
  });

  test('opens the listed ports of loopback and no other network', () => {
    const network = lines().filter((line) => line.includes('network'));
    expect(network).toEqual(['(allow network-outbound (remote ip "localhost:4100"))']);
    expect(lines({ ports: [] }).some((line) => line.includes('network'))).toBe(false);
  });

  test('cannot be broken out of by a path', () => {
    const odd = '/Users/anna/a"))(allow default)(deny file-read* (literal "\\';
    const profile = seatbeltProfile({ ...request, hidden: [odd] });
    expect(profile).toContain('(subpath "/Users/anna/a\\"))(allow default)(deny file-read* (literal \\"\\\\")');
  });
});

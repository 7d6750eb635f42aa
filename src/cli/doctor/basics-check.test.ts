import { describe, expect, test } from 'vitest';
import { machine, said } from './fake-probe.js';
import { checkGit } from './git-check.js';
import { checkNode } from './node-check.js';
import { checkSqlite, isSafeSqlite } from './sqlite-check.js';

describe('node', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('%s is new enough', async (nodeVersion) => {
    expect(await checkNode(machine({ nodeVersion }))).toEqual([{ topic: 'node', status: 'ok', text: nodeVersion }]);
  });

  test.each(['20.18.9', '18.20.0', '4.9.1'])('%s is too old', async (nodeVersion) => {
    expect(await checkNode(machine({ nodeVersion }))).toMatchObject([{ status: 'problem' }]);
  });
});

describe('git', () => {
  test('its version is told', async () => {
    const env = machine({
      programs: { git: '/bin/git' },
      results: { '/bin/git --version': said('git version 2.43.0\n') },
    });
    expect(await checkGit(env)).toEqual([{ topic: 'git', status: 'ok', text: '2.43.0' }]);
  });

  test('a machine without git is told how to install it, with the package manager it has', async () => {
    const fixes = await Promise.all(
      ['apt-get', 'dnf', 'apk', 'none'].map(async (manager) => {
        const [finding] = await checkGit(machine({ programs: { [manager]: `/bin/${manager}` } }));
        return finding?.fix;
      }),
    );
    expect(fixes).toEqual([
      'sudo apt-get install -y git',
      'sudo dnf install -y git',
      'sudo apk add git',
      'install git with your package manager',
    ]);
  });

  test('root needs no sudo', async () => {
    const [finding] = await checkGit(machine({ uid: 0, programs: { apk: '/sbin/apk' } }));
    expect(finding?.fix).toBe('apk add git');
  });

  test('a git that fails is quoted', async () => {
    const results = { '/bin/git --version': said('', 1, 'cannot run\u001b[31m\n') };
    const [finding] = await checkGit(machine({ programs: { git: '/bin/git' }, results }));
    expect(finding).toMatchObject({ status: 'problem', text: expect.stringContaining('"cannot run\ufffd[31m"') });
  });
});

describe('SQLite', () => {
  test.each([
    ['3.6.23', false],
    ['3.7.0', false],
    ['3.44.5', false],
    ['3.44.6', true],
    ['3.45.1', false],
    ['3.50.6', false],
    ['3.50.7', true],
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.52.0', true],
    ['3.53.0', true],
    ['4.0.0', true],
  ])('version %s is free of the WAL-reset bug: %s', (version, safe) => {
    expect(isSafeSqlite(version)).toBe(safe);
  });

  test('is well when a commit on a file is in the WAL and synced', async () => {
    expect(await checkSqlite(machine())).toEqual([
      { topic: 'sqlite', status: 'ok', text: '3.53.0 (WAL, every commit synced)' },
    ]);
  });

  test.each([
    { journalMode: 'delete', synchronous: 2, walSeen: false, rowKept: true },
    { journalMode: 'wal', synchronous: 1, walSeen: true, rowKept: true },
    { journalMode: 'wal', synchronous: 2, walSeen: false, rowKept: true },
    { journalMode: 'wal', synchronous: 2, walSeen: true, rowKept: false },
  ])('is a problem when the file does not hold what was asked: %o', async (onFile) => {
    const trySqlite = async () => ({ driver: 'd', version: '3.53.0', onFile });
    expect(await checkSqlite(machine({ trySqlite }))).toMatchObject([{ status: 'problem' }]);
  });

  test('a version with the bug is a problem however well the file does', async () => {
    const trial = await machine().probe.trySqlite('/');
    const trySqlite = async () => ({ ...trial, version: '3.51.2' });
    expect(await checkSqlite(machine({ trySqlite }))).toMatchObject([
      { status: 'problem', text: expect.stringContaining('WAL-reset') },
    ]);
  });

  test('is not tried on a network file system, where it could hang', async () => {
    const asked: unknown[] = [];
    const trySqlite = async (folder: string | undefined) => {
      asked.push(folder);
      return { driver: 'd', version: '3.53.0' };
    };
    const files = { '/proc/mounts': 'server:/home /home nfs4 rw 0 0\n' };
    expect(await checkSqlite(machine({ trySqlite, files }))).toMatchObject([{ status: 'warning' }]);
    expect(asked).toEqual([undefined]);
  });
});

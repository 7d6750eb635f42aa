import { describe, expect, test } from 'vitest';
import { machine } from './fake-probe.js';
import { checkHome } from './home-check.js';
import type { FileFacts } from './probe.js';

const HOME = '/home/anna/.baton';
const folder = (change: Partial<FileFacts> = {}): FileFacts => ({ kind: 'folder', mode: 0o700, uid: 1000, ...change });

describe('the home', () => {
  test('is well with mode 0700 and room', async () => {
    expect(await checkHome(machine())).toEqual([
      { topic: 'home', status: 'ok', text: '~/.baton, mode 0700, 41 GB free' },
    ]);
  });

  test('may be missing when it can be made', async () => {
    expect(await checkHome(machine({ facts: { [HOME]: undefined } }))).toMatchObject([
      { status: 'ok', text: expect.stringContaining('made on first use') },
    ]);
  });

  test('is a problem when it is missing and cannot be made', async () => {
    const env = machine({ facts: { [HOME]: undefined }, isWritable: async (where) => where !== '/home/anna' });
    expect(await checkHome(env)).toMatchObject([{ status: 'problem', text: expect.stringContaining('/home/anna') }]);
  });

  test.each<[string, Partial<FileFacts>, string]>([
    ['a file', { kind: 'file' }, 'problem'],
    ["somebody else's", { uid: 0 }, 'problem'],
    ['open to the group', { mode: 0o750 }, 'warning'],
    ['readable by all', { mode: 0o704 }, 'warning'],
  ])('that is %s is told', async (_, change, status) => {
    expect(await checkHome(machine({ facts: { [HOME]: folder(change) } }))).toMatchObject([{ status }]);
  });

  test('that cannot be written is a problem', async () => {
    expect(await checkHome(machine({ isWritable: async () => false }))).toMatchObject([{ status: 'problem' }]);
  });

  test('on a full disk is a problem, on a nearly full one a warning', async () => {
    const statuses = [99_000_000, 999_000_000, 1_000_000_000].map(async (bytes) => {
      const [finding] = await checkHome(machine({ freeBytes: async () => bytes }));
      return finding?.status;
    });
    expect(await Promise.all(statuses)).toEqual(['problem', 'warning', 'ok']);
  });

  test('with a token that others can read is a problem of its own', async () => {
    const token = { kind: 'file', mode: 0o644, uid: 1000 } as const;
    expect(await checkHome(machine({ facts: { [`${HOME}/token`]: token } }))).toMatchObject([
      { topic: 'home', status: 'ok' },
      { topic: 'token', status: 'problem', fix: 'chmod 600 ~/.baton/token' },
    ]);
    const closed = { ...token, mode: 0o600 };
    expect(await checkHome(machine({ facts: { [`${HOME}/token`]: closed } }))).toHaveLength(1);
  });
});

describe('a home on a network', () => {
  const mounts = (...lines: string[]) => ({ files: { '/proc/mounts': `${lines.join('\n')}\n` } });

  test.each(['nfs', 'nfs4', 'cifs', 'fuse.sshfs', '9p'])('is a problem (%s)', async (type) => {
    expect(await checkHome(machine(mounts('/dev/sda / ext4 rw 0 0', `s:/x /home/anna ${type} rw 0 0`)))).toMatchObject([
      { status: 'problem', text: expect.stringContaining(type) },
    ]);
  });

  test('is judged by the mount it lies on, not by one beside or below a local one', async () => {
    const env = machine(mounts('s:/ / nfs rw 0 0', '/dev/sda /home ext4 rw 0 0', 's:/x /home/an nfs rw 0 0'));
    expect(await checkHome(env)).toMatchObject([{ status: 'ok' }]);
  });

  test('is seen through a link and a mount point with a space', async () => {
    const env = machine({
      ...mounts('/dev/sda / ext4 rw 0 0', String.raw`s:/x /mnt/my\040disk nfs rw 0 0`),
      realPath: async () => '/mnt/my disk/anna/.baton',
    });
    expect(await checkHome(env)).toMatchObject([{ status: 'problem' }]);
  });

  test('is seen on macOS too', async () => {
    const listed = '/dev/disk1 on / (apfs, local)\n//anna@nas/home on /home/anna (smbfs, nodev)\n';
    const env = machine({ platform: 'darwin', results: { '/sbin/mount ': { type: 'failed', reason: '' } } });
    env.probe.run = async () => ({ type: 'exited', code: 0, stdout: listed, stderr: '' });
    expect(await checkHome(env)).toMatchObject([{ status: 'problem', text: expect.stringContaining('smbfs') }]);
  });
});

import type { Probe } from './probe.js';

export type Mount = { point: string; type: string; network: boolean };

const NETWORK_TYPES = new Set([
  '9p',
  'afpfs',
  'afs',
  'beegfs',
  'ceph',
  'cifs',
  'coda',
  'davfs',
  'fuse.ceph',
  'fuse.davfs',
  'fuse.glusterfs',
  'fuse.rclone',
  'fuse.s3fs',
  'fuse.sshfs',
  'gfs2',
  'glusterfs',
  'gpfs',
  'lustre',
  'ncpfs',
  'nfs',
  'nfs4',
  'ocfs2',
  'smb3',
  'smbfs',
  'webdav',
]);

const MOUNT_TIMEOUT_MS = 3_000;

/** The mount a folder lies on; undefined where the system does not tell. */
export async function mountOf(probe: Probe, folder: string): Promise<Mount | undefined> {
  const real = await probe.realPath(folder);
  let best: Mount | undefined;
  for (const mount of await listMounts(probe)) {
    const inside = real === mount.point || real.startsWith(mount.point === '/' ? '/' : `${mount.point}/`);
    // Of two mounts on one point the later covers the earlier.
    if (inside && (!best || mount.point.length >= best.point.length)) best = mount;
  }
  return best;
}

async function listMounts(probe: Probe): Promise<Mount[]> {
  if (probe.platform === 'linux') return parseProcMounts((await probe.readText('/proc/mounts')) ?? '');
  if (probe.platform !== 'darwin') return [];
  const listed = await probe.run('/sbin/mount', [], MOUNT_TIMEOUT_MS);
  return listed.type === 'exited' ? parseMountCommand(listed.stdout) : [];
}

function parseProcMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, point, type] = line.split(' ');
    return point && type ? [mountAt(unescapeOctal(point), type)] : [];
  });
}

/** `//anna@host/share on /Volumes/share (smbfs, nodev)` */
function parseMountCommand(text: string): Mount[] {
  return [...text.matchAll(/ on (\/.*) \((\w+)[,)]/g)].map(([, point = '', type = '']) => mountAt(point, type));
}

function mountAt(point: string, type: string): Mount {
  return { point, type, network: NETWORK_TYPES.has(type) };
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}

import { readFileSync, statfsSync } from 'node:fs';

/**
 * File systems whose locks or memory maps do not hold between machines, by the number Linux gives them. SQLite's WAL
 * needs both. On other systems the numbers mean nothing and nothing is refused here.
 */
const NETWORK_TYPES: Readonly<Record<number, string>> = {
  26985: 'nfs',
  20859: 'smb',
  4283649346: 'cifs',
  4266872130: 'smb2',
  16914839: '9p',
  1397113167: 'afs',
  1937076805: 'coda',
  12805120: 'ceph',
  198183888: 'lustre',
  1196443219: 'gpfs',
  1952539503: 'ocfs2',
  18225520: 'gfs2',
  22092: 'ncp',
  428016422: 'beegfs',
  3133910204: 'vmhgfs',
  2020557398: 'vboxsf',
};
const FUSE_TYPE = 0x65735546;
/** FUSE carries local and remote file systems; these are remote. */
const NETWORK_FUSE =
  /^fuse\.(sshfs|rclone|s3fs|gcsfuse|davfs2?|glusterfs|ceph|juicefs|goofys|mountpoint-s3|smbnetfs|curlftpfs)$/;

/** The name of the network file system a folder lies on, or undefined when it is a local one. */
export function networkFileSystemOf(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  // Some systems give the number signed.
  const type = statfsSync(folder).type >>> 0;
  if (type === FUSE_TYPE) return networkFuse(readFileSync('/proc/self/mountinfo', 'utf8'), folder);
  return NETWORK_TYPES[type];
}

/** `36 35 98:0 /root /mount/point rw,noatime master:1 - fuse.sshfs host:/ rw` */
export function networkFuse(mountinfo: string, folder: string): string | undefined {
  let nearest = { point: '', type: '' };
  for (const line of mountinfo.split('\n')) {
    const point = unescapeOctal(line.split(' ')[4] ?? '');
    const type = / - (\S+)/.exec(line)?.[1] ?? '';
    const holds = folder === point || folder.startsWith(point.endsWith('/') ? point : `${point}/`);
    // Of two mounts on one point the later covers the earlier.
    if (point !== '' && holds && point.length >= nearest.point.length) nearest = { point, type };
  }
  return NETWORK_FUSE.test(nearest.type) ? nearest.type : undefined;
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}

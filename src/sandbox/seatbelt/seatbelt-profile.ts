import path from 'node:path';
import type { Confinement } from '../sandbox.js';

/** Of the last rules that fit an access, the last one counts. */
type ProfileRequest = Pick<Confinement, 'writable' | 'readOnly' | 'hidden' | 'control'> & {
  /** Home and temporary folder of the command, made for it. */
  scratch: string;
  /** Hidden as a whole, like other homes. */
  home: string;
  /** Of loopback. */
  ports: readonly number[];
};

const BASE = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow user-preference-read)
(allow ipc-posix-sem)
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.trustd.agent"))
(allow file-ioctl (regex #"^/dev/tty"))
(deny file-ioctl (ioctl-command TIOCSTI))
(allow file-read*)
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))`;

/** Homes of anybody and other disks; sockets of services are closed because no network rule allows them. */
const HIDDEN_FOLDERS: readonly string[] = ['/Users', '/Volumes', '/private/var/root', '/private/tmp'];
const SECRETS: readonly string[] = ['/private/etc/master.passwd', '/private/var/db/shadow', '/Library/Keychains'];

/** What bwrap does with mounts, as rules of macOS: the longer path decides, because it comes later. */
export function seatbeltProfile(request: ProfileRequest): string {
  const { writable, readOnly, hidden, control, scratch, home, ports } = request;
  const rules: Rule[] = [
    ...[...HIDDEN_FOLDERS, ...SECRETS, home, ...hidden].map((at): Rule => ({ at, text: denyAll(at), rank: 2 })),
    ...readOnly.map((at): Rule => ({ at, text: `(allow file-read* ${under(at)})`, rank: 0 })),
    ...[...writable, scratch].map((at): Rule => ({ at, text: `(allow file-read* file-write* ${under(at)})`, rank: 1 })),
    ...control.flatMap((at): Rule[] => [
      { at, text: `(deny file-write* ${under(at)})`, rank: 3 },
      // A folder on the way that is moved aside takes what is guarded with it.
      ...foldersBetween(at, writable).map((one): Rule => {
        return { at: one, text: `(deny file-write-unlink (literal ${quoted(one)}))`, rank: 3 };
      }),
    ]),
  ];
  const ordered = rules.toSorted((a, b) => depth(a.at) - depth(b.at) || a.rank - b.rank || (a.at < b.at ? -1 : 1));
  const network = ports.map((port) => `(allow network-outbound (remote ip "localhost:${port}"))`);
  // A folder has to be passed to get to what lies in it.
  const passed = [...writable, ...readOnly, scratch].flatMap(ancestors).map((at) => `(literal ${quoted(at)})`);
  const passing = `(allow file-read-metadata ${[...new Set(passed)].join(' ')})`;
  return [BASE, ...ordered.map(({ text }) => text), passing, ...network, ''].join('\n');
}

type Rule = { at: string; text: string; rank: number };

const denyAll = (at: string): string => `(deny file-read* file-write* ${under(at)})`;
const under = (at: string): string => `(subpath ${quoted(at)})`;
const depth = (at: string): number => at.split('/').length;
/** Strings of the profile language know the same two escapes as those of C. */
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function foldersBetween(at: string, roots: readonly string[]): string[] {
  return ancestors(at).filter((folder) => roots.some((root) => folder.startsWith(`${root}/`)));
}

function ancestors(at: string): string[] {
  const parent = path.dirname(at);
  return parent === at ? [] : [...ancestors(parent), parent];
}

/** Empty and writable inside, in memory, gone with the command. The homes of the user and of this process are added. */
export const PRIVATE_FOLDERS: readonly string[] = ['/tmp', '/var/tmp'];

/**
 * Empty inside. Homes and mounted disks of anybody; and /run, because a socket can be connected to through a read-only
 * mount, and behind those sockets are the services that start programs outside.
 */
export const HIDDEN_FOLDERS: readonly string[] = ['/run', '/home', '/root', '/mnt', '/media'];

/** Of no use to a command and readable at least by root, which keeps its number inside. */
export const SYSTEM_SECRETS: readonly string[] = [
  '/boot',
  '/etc/NetworkManager/system-connections',
  '/etc/docker',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/krb5.keytab',
  '/etc/kubernetes',
  '/etc/rancher',
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/wireguard',
  '/lost+found',
  '/sys/firmware',
  '/sys/kernel/debug',
  '/sys/kernel/security',
  '/sys/kernel/tracing',
  '/var/lib/containerd',
  '/var/lib/containers',
  '/var/lib/docker',
  '/var/lib/kubelet',
  '/var/lib/mysql',
  '/var/lib/postgresql',
  '/var/lib/private',
  '/var/lib/sss',
  '/var/lib/systemd/coredump',
  '/var/log',
  '/var/mail',
  '/var/spool/cron',
];

/** Where systems keep programs below what is hidden. */
export const SYSTEM_PROGRAMS: readonly string[] = ['/run/current-system', '/home/linuxbrew/.linuxbrew'];

/** Below a home: where version managers and package managers keep programs, and nothing that lets anybody in. */
export const PROGRAM_FOLDERS: readonly string[] = [
  '.asdf',
  '.bun/bin',
  '.cargo/bin',
  '.cargo/git',
  '.cargo/registry',
  '.deno/bin',
  '.local/lib',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/pipx',
  '.local/share/pnpm',
  '.local/share/uv',
  '.m2/repository',
  '.npm-global',
  '.nvm',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.sdkman/candidates',
  '.volta',
  'go/bin',
  'go/pkg/mod',
];

import type { SystemCall } from './system-calls.js';

/** About one argument; only its lower 32 bits are looked at, as the kernel does for all of these. */
export type Condition =
  | { argument: number; hasAnyBitOf: number }
  | { argument: number; is: number }
  | { argument: number; isNoneOf: readonly number[] };

export type Refusal = { calls: readonly SystemCall[]; when?: readonly Condition[]; errno: number };

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const NEW_NAMESPACE = 0x7e020080; // CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET, TIME
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const FAMILIES = [1, 2, 10, 16]; // AF_UNIX, AF_INET, AF_INET6, AF_NETLINK
const SET_ID = 0o6000;
const CREATES = 0o100 | 0o20000000; // O_CREAT, O_TMPFILE

/**
 * What no command needs and many escapes begin with. Everything else is allowed: the namespaces decide what it can
 * reach.
 */
export const REFUSED_CALLS: readonly Refusal[] = [
  { calls: ['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise', 'kcmp'], errno: EPERM },
  { calls: ['pidfd_getfd', 'open_by_handle_at', 'fanotify_init'], errno: EPERM },
  { calls: ['mount', 'umount2', 'pivot_root', 'chroot', 'move_mount', 'open_tree', 'open_tree_attr'], errno: EPERM },
  { calls: ['fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr', 'setns'], errno: EPERM },
  { calls: ['keyctl', 'add_key', 'request_key', 'bpf', 'perf_event_open', 'userfaultfd'], errno: EPERM },
  { calls: ['kexec_load', 'kexec_file_load', 'reboot', 'swapon', 'swapoff', 'acct'], errno: EPERM },
  { calls: ['init_module', 'finit_module', 'delete_module', 'create_module'], errno: EPERM },
  { calls: ['quotactl', 'quotactl_fd', 'nfsservctl', 'iopl', 'ioperm', 'modify_ldt'], errno: EPERM },
  { calls: ['settimeofday', 'clock_settime', 'clock_adjtime', 'adjtimex'], errno: EPERM },
  { calls: ['sethostname', 'setdomainname', 'syslog', 'vhangup', 'lookup_dcookie'], errno: EPERM },
  // Their arguments lie in memory, where a filter cannot look. "Not there" makes programs take the older call.
  { calls: ['clone3', 'openat2', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'], errno: ENOSYS },
  { calls: ['clone', 'unshare'], when: [{ argument: 0, hasAnyBitOf: NEW_NAMESPACE }], errno: EPERM },
  { calls: ['ioctl'], when: [{ argument: 1, is: TIOCSTI }], errno: EPERM },
  { calls: ['ioctl'], when: [{ argument: 1, is: TIOCLINUX }], errno: EPERM },
  // Others, such as the one to the host of a virtual machine, know no network namespace.
  { calls: ['socket'], when: [{ argument: 0, isNoneOf: FAMILIES }], errno: EAFNOSUPPORT },
  // A program that takes on its owner's rights would be a way back, through any other user of the machine.
  { calls: ['chmod', 'fchmod', 'mknod', 'creat'], when: [{ argument: 1, hasAnyBitOf: SET_ID }], errno: EPERM },
  { calls: ['fchmodat', 'fchmodat2', 'mknodat'], when: [{ argument: 2, hasAnyBitOf: SET_ID }], errno: EPERM },
  { calls: ['open'], when: creating({ flags: 1, mode: 2 }), errno: EPERM },
  { calls: ['openat'], when: creating({ flags: 2, mode: 3 }), errno: EPERM },
];

function creating({ flags, mode }: { flags: number; mode: number }): Condition[] {
  return [
    { argument: flags, hasAnyBitOf: CREATES },
    { argument: mode, hasAnyBitOf: SET_ID },
  ];
}

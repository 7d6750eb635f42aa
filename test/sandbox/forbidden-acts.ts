import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Confinement } from '../../src/sandbox/sandbox.js';
import {
  ARCHITECTURES,
  type Architecture,
  SYSTEM_CALLS,
  type SystemCall,
} from '../../src/sandbox/seccomp/system-calls.js';
import { processesWith } from '../faults/processes/playground.js';
import { BOUNDS, type Outcome, type Scene } from './scene.js';

type Args = readonly string[];
/** What is left out or added so that the act succeeds. Only then is its row a test of anything. */
export type Hole = {
  change?: (args: Args, scene: Scene) => Args;
  confinement?: Partial<Confinement>;
  /** Nobody looks from outside whether everything is where it was ordered. */
  unseen?: boolean;
};

export type Act = {
  name: string;
  argv: (scene: Scene) => string[];
  /** Seen from outside where that is possible. */
  isDone: (outcome: Outcome, scene: Scene) => boolean;
  hole: Hole;
  /** Without root there is no bwrap that could be opened so far. */
  holeNeedsRoot?: boolean;
};

const sh = (script: (scene: Scene) => string) => (scene: Scene) => ['sh', '-c', script(scene)];
const perl = (program: (scene: Scene) => string) => (scene: Scene) => ['perl', '-e', program(scene)];

const without = (...options: string[]): Hole => ({ change: (args) => args.filter((one) => !options.includes(one)) });
/** Mounts come in order: what is added before the filter lies over all others. */
const adding = (more: (scene: Scene) => string[]): Hole => {
  return { change: (args, scene) => args.flatMap((one) => (one === '--seccomp' ? [...more(scene), one] : [one])) };
};
const NO_FILTER: Hole = { change: (args) => args.flatMap((one, at) => (isOf('--seccomp', args, at) ? [] : [one])) };
const NO_LIMITS: Hole = { confinement: { limits: {} } };
const OUTSIDE_MOUNTED = adding(({ outside }) => ['--bind', outside, outside]);
const HOME_MOUNTED = adding(({ home }) => ['--ro-bind', home, home]);
/** As root without a user namespace: with all rights of root. */
const OWN_PROC: Hole = {
  change: (args) => withProcOfAll(args.filter((one) => one !== '--unshare-pid')),
};
const OWN_PROC_AND_RIGHTS: Hole = {
  change: (args) => withProcOfAll(args.filter((one) => !RIGHTS.includes(one))),
};
const RIGHTS = ['--unshare-pid', '--unshare-user', '--cap-drop', 'ALL'];

const isOf = (option: string, args: Args, at: number): boolean => args[at] === option || args[at - 1] === option;
const isReadOnlyAgain = (args: Args, at: number): boolean => args[at - 1] === '--remount-ro';
const withProcOfAll = (args: Args): Args => args.flatMap((one) => (one === '--proc' ? ['--bind', '/proc'] : [one]));

/** Leaves out the three words that mount one path. */
const notMounting = (place: (scene: Scene) => string): Hole => ({
  unseen: true,
  change: (args, scene) => {
    const at = args.findIndex((one, index) => one === place(scene) && args[index + 1] === one);
    if (at < 0) throw new Error(`${place(scene)} is not mounted anyway`);
    return [...args.slice(0, at - 1), ...args.slice(at + 2)];
  },
});
const notGuarding = (name: string): Hole => notMounting(({ workspace }) => path.join(workspace, name));

/** Counts as done when the kernel looked at the call at all: what it then says is about the arguments. */
function call(name: SystemCall, args: string, hole: Hole = NO_FILTER): Act {
  // Perl passes pointers to variables only.
  const program = `my ($x, $y, $n) = ("x", "/tmp", "tmpfs"); $! = 0; my $r = syscall(${numberOf(name)}, ${args});`;
  return {
    name: `calls ${name} (${args})`,
    argv: perl(() => `${program} print $r >= 0 ? "done" : "errno " . ($! + 0);`),
    isDone: ({ stdout }) => stdout !== '' && stdout !== 'errno 1' && stdout !== 'errno 38',
    hole,
  };
}

const numberOf = (name: SystemCall): number | null =>
  SYSTEM_CALLS[name][ARCHITECTURES[process.arch as Architecture].column];

const FILES: Act[] = [
  {
    name: 'reads the token file',
    argv: sh(({ home }) => `cat ${home}/token`),
    isDone: ({ stdout }) => stdout.includes('top-secret'),
    hole: HOME_MOUNTED,
  },
  {
    name: "lists Baton's home",
    argv: sh(({ home }) => `ls ${home}`),
    isDone: ({ stdout }) => stdout.includes('token'),
    hole: HOME_MOUNTED,
  },
  {
    name: 'reads a temporary file of somebody else',
    argv: sh(({ outsideFile }) => `cat ${outsideFile}`),
    isDone: ({ stdout }) => stdout.includes('untouched'),
    hole: OUTSIDE_MOUNTED,
  },
  {
    name: 'writes outside the roots',
    argv: sh(({ outside }) => `mkdir -p ${outside}; echo x > ${outside}/made`),
    isDone: (_, { outside }) => existsSync(path.join(outside, 'made')),
    hole: OUTSIDE_MOUNTED,
  },
  {
    name: 'writes to a file that is not its own',
    argv: sh(({ outsideFile }) => `echo written >> ${outsideFile}`),
    isDone: (_, scene) => scene.read(scene.outsideFile)?.includes('written') ?? false,
    hole: OUTSIDE_MOUNTED,
  },
  {
    name: 'writes through a symbolic link that leads out',
    argv: sh(({ outsideFile }) => `ln -s ${outsideFile} link; echo written >> link`),
    isDone: (_, scene) => scene.read(scene.outsideFile)?.includes('written') ?? false,
    hole: OUTSIDE_MOUNTED,
  },
  {
    name: 'writes through a hard link that leads out',
    argv: sh(({ outsideFile }) => `ln ${outsideFile} twin; echo written >> twin`),
    isDone: (_, scene) => scene.read(scene.outsideFile)?.includes('written') ?? false,
    hole: adding(({ folder }) => ['--bind', folder, folder]),
  },
  {
    name: 'gets at a file through the root folder of another process',
    argv: sh(({ outsideFile, stranger }) => `cat /proc/${stranger.pid}/root${outsideFile} /proc/1/root${outsideFile}`),
    isDone: ({ stdout }) => stdout.includes('untouched'),
    hole: OUTSIDE_MOUNTED,
  },
  {
    name: 'makes a program that takes on the rights of its owner',
    argv: sh(() => ': > program; chmod u+s program; test -u program && echo set'),
    isDone: ({ stdout }) => stdout.includes('set'),
    hole: NO_FILTER,
  },
];

const CONTROL: Act[] = [
  {
    name: 'creates a missing control file',
    argv: sh(() => 'rmdir baton.json 2>/dev/null; echo "{}" > baton.json'),
    isDone: (_, scene) => scene.read(scene.workspace, 'baton.json') !== undefined,
    hole: { confinement: { control: [] } },
  },
  {
    name: 'creates a missing folder of control files',
    argv: sh(() => 'rmdir .agent 2>/dev/null; mkdir -p .agent; echo "{}" > .agent/settings.json'),
    isDone: (_, scene) => scene.read(scene.workspace, '.agent/settings.json') !== undefined,
    hole: { confinement: { control: [] } },
  },
  {
    name: 'changes a control file',
    argv: sh(() => 'echo evil >> AGENTS.json'),
    isDone: (_, scene) => scene.read(scene.workspace, 'AGENTS.json')?.includes('evil') ?? false,
    hole: notGuarding('AGENTS.json'),
  },
  {
    name: 'replaces a control file',
    argv: sh(() => 'echo evil > new; mv -f new AGENTS.json; rm -f AGENTS.json; ln -sf new AGENTS.json'),
    isDone: (_, scene) => !scene.read(scene.workspace, 'AGENTS.json')?.startsWith('{}'),
    hole: notGuarding('AGENTS.json'),
  },
  {
    name: 'changes a control file by a second name',
    argv: sh(() => 'ln AGENTS.json twin && echo evil >> twin'),
    isDone: (_, scene) => scene.read(scene.workspace, 'AGENTS.json')?.includes('evil') ?? false,
    hole: notGuarding('AGENTS.json'),
  },
  {
    name: 'adds a hook',
    argv: sh(() => 'echo evil > .git/hooks/post-checkout'),
    isDone: (_, scene) => scene.read(scene.workspace, '.git/hooks/post-checkout') !== undefined,
    hole: notGuarding('.git/hooks'),
  },
  {
    name: 'moves the folder of a control file aside and makes another',
    argv: sh(() => 'mv .git aside && mkdir .git && echo evil > .git/config'),
    isDone: (_, scene) => scene.read(scene.workspace, '.git/config')?.includes('evil') ?? false,
    hole: notGuarding('.git'),
  },
];

const connecting = (family: string, address: (scene: Scene) => string) =>
  perl(
    (scene) =>
      `use Socket; socket(S, ${family}, SOCK_STREAM, 0) or exit 1; connect(S, ${address(scene)}) or exit 2; print <S>;`,
  );
const reached = ({ stdout }: Outcome): boolean => stdout.includes('reached');

const NETWORK: Act[] = [
  {
    name: 'connects to a port of this machine',
    argv: connecting('PF_INET', ({ port }) => `pack_sockaddr_in(${port}, inet_aton("127.0.0.1"))`),
    isDone: reached,
    hole: without('--unshare-net'),
  },
  {
    name: 'connects to a socket without a file',
    argv: connecting('PF_UNIX', ({ abstract }) => `pack("S a108", 1, "\\0${abstract.slice(1)}")`),
    isDone: reached,
    hole: without('--unshare-net'),
  },
  {
    name: 'connects to the socket of a service',
    argv: connecting('PF_UNIX', ({ outside }) => `pack_sockaddr_un("${outside}/socket")`),
    isDone: reached,
    hole: adding(({ outside }) => ['--ro-bind', outside, outside]),
  },
];

const PROCESSES: Act[] = [
  {
    name: 'sees another process',
    argv: sh(({ stranger }) => `cat /proc/${stranger.pid}/cmdline`),
    isDone: ({ stdout }, { token }) => stdout.includes(token),
    hole: OWN_PROC,
  },
  {
    name: 'opens the memory of another process',
    argv: sh(({ stranger }) => `exec 9< /proc/${stranger.pid}/mem && echo opened`),
    isDone: ({ stdout }) => stdout.includes('opened'),
    hole: OWN_PROC_AND_RIGHTS,
    holeNeedsRoot: true,
  },
  {
    name: 'reads the environment of another process',
    argv: sh(({ stranger }) => `cat /proc/${stranger.pid}/environ && echo read`),
    isDone: ({ stdout }) => stdout.includes('read'),
    hole: OWN_PROC_AND_RIGHTS,
    holeNeedsRoot: true,
  },
  {
    name: 'reads the memory of a process by a system call',
    argv: perl(() => {
      const vector = 'pack("QQ", unpack("Q", pack("p", $x)), 1)';
      const read = `syscall(${numberOf('process_vm_readv')}, $$ + 0, $v, 1, $v, 1, 0)`;
      return `my $x = "a" x 64; my $v = ${vector}; my $n = ${read}; print "n=$n";`;
    }),
    isDone: ({ stdout }) => stdout === 'n=1',
    hole: NO_FILTER,
  },
  {
    name: 'traces a process',
    argv: perl(() => {
      const attach = `syscall(${numberOf('ptrace')}, 16, $p, 0, 0)`;
      return `my $p = fork; if (!$p) { sleep 5; exit } my $n = ${attach}; kill 9, $p; print "n=$n";`;
    }),
    isDone: ({ stdout }) => stdout === 'n=0',
    hole: NO_FILTER,
  },
  {
    name: 'signals another process',
    argv: sh(({ stranger }) => `kill -0 ${stranger.pid} && echo signalled`),
    isDone: ({ stdout }) => stdout.includes('signalled'),
    hole: without('--unshare-pid'),
  },
  {
    name: 'leaves a daemon behind that carries no mark',
    argv: sh(({ token }) => `env -i setsid sleep 299.${token} >/dev/null 2>&1 & sleep 0.2`),
    isDone: (_, { token }) => processesWith(`299.${token}`).length > 0,
    hole: without('--unshare-pid'),
  },
];

const withoutRightsLost = (args: Args): Args =>
  args.filter((one, at) => !isOf('--seccomp', args, at) && one !== '--cap-drop' && one !== 'ALL');

const KERNEL: Act[] = [
  {
    ...call('mount', '$n, $y, $n, 0, 0', { change: (args) => ['--cap-add', 'ALL', ...withoutRightsLost(args)] }),
    holeNeedsRoot: true,
  },
  call('unshare', '0x10000000'),
  call('setns', '-1, 0'),
  call('keyctl', '0, -3, 0'),
  call('kcmp', '$$ + 0, $$ + 0, 0, 0, 0'),
  call('clone3', '0, 0'),
  call('io_uring_setup', '0, 0'),
  call('openat2', '-100, $y, $x, 0'),
  call('ioctl', '0, 0x5412, $x'),
  call('ioctl', '0, 0x541c, $x'),
  {
    name: 'changes a setting of the kernel',
    argv: sh(() => 'old=$(cat /proc/sys/vm/swappiness); (echo "$old" > /proc/sys/vm/swappiness) && echo changed'),
    isDone: ({ stdout }) => stdout.includes('changed'),
    hole: { change: (args) => args.filter((one, at) => one !== '--remount-ro' && !isReadOnlyAgain(args, at)) },
    holeNeedsRoot: true,
  },
  {
    name: 'gets rights back from a program of root',
    argv: sh(() => 'grep NoNewPrivs /proc/self/status; grep CapBnd /proc/self/status'),
    isDone: ({ stdout }) => !/NoNewPrivs:\s*1/.test(stdout) || !/CapBnd:\s*0+$/m.test(stdout),
    hole: without('--cap-drop', 'ALL'),
    holeNeedsRoot: true,
  },
];

const MORE_THAN_ALLOWED: Act[] = [
  {
    name: 'starts more processes than it may',
    argv: sh(
      () => 'i=0; while [ $i -lt 150 ]; do sleep 20 & i=$((i+1)); done; set -- /proc/[0-9]*; echo "n=$#"; kill 0',
    ),
    isDone: ({ stdout }) => Number(/n=(\d+)/.exec(stdout)?.[1] ?? 0) > BOUNDS.processes,
    hole: NO_LIMITS,
  },
  {
    name: 'takes more memory than it may',
    argv: perl(() => `my $x = "a" x ${BOUNDS.memoryBytes + BOUNDS.fileBytes}; print "got ", length $x;`),
    isDone: ({ stdout }) => stdout.includes('got'),
    hole: NO_LIMITS,
  },
  {
    name: 'writes a larger file than it may',
    argv: sh(() => `head -c ${2 * BOUNDS.fileBytes} /dev/zero > large`),
    isDone: (_, scene) => (scene.read(scene.workspace, 'large')?.length ?? 0) > BOUNDS.fileBytes,
    hole: NO_LIMITS,
  },
  {
    name: 'keeps more in its own temporary folder than it may',
    argv: sh(() => `for n in 1 2 3; do head -c ${BOUNDS.fileBytes} /dev/zero > /tmp/$n || exit 1; done; echo kept`),
    isDone: ({ stdout }) => stdout.includes('kept'),
    hole: NO_LIMITS,
  },
];

export const FORBIDDEN_ACTS: readonly Act[] = [
  ...FILES,
  ...CONTROL,
  ...NETWORK,
  ...PROCESSES,
  ...KERNEL,
  ...MORE_THAN_ALLOWED,
];

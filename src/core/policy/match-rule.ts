import type { Rule } from './rule.js';
import type { SimpleCommand } from './shell-reading.js';
import { isInside, nameOf, systemProgram } from './system-programs.js';

/** What a rule is held against: one command, and one host that it is known to reach, if any is. */
export type Deed = { command: SimpleCommand; host: string | null; workspace: string };

/** `maybe`: it depends on what cannot be known before it runs. */
type Fit = 'yes' | 'maybe' | 'no';

/** An allow is taken by the word: only what certainly fits is allowed. */
export function allows(rule: Rule, { command, host, workspace }: Deed): boolean {
  const { argv, folder } = rule;
  // A host alone says where one may go, not what one may run.
  if (!argv && folder === undefined) return false;
  if (argv && !beginsWith(command, argv, { workspace, folder })) return false;
  if (folder !== undefined && folderFit(folder, command, workspace) !== 'yes') return false;
  return rule.host === undefined || (host !== null && hostFits(rule.host, host));
}

/** A deny or an ask also holds for another spelling of the same program: by path, or with options in between. */
export function concerns(rule: Rule, { command, host, workspace }: Deed): Fit {
  const { argv, folder } = rule;
  return weakest([
    argv ? spellingFit(argv, command) : 'yes',
    folder === undefined ? 'yes' : folderFit(folder, command, workspace),
    hostFit(rule, host),
  ]);
}

export function hostFits(pattern: string, host: string): boolean {
  const [wanted, name] = [pattern.toLowerCase(), host.toLowerCase()];
  const [wantedName = '', wantedPort] = wanted.split(':');
  const [plain = '', port] = name.split(':');
  if (wantedPort !== undefined && wantedPort !== port) return false;
  return wantedName.startsWith('*.') ? plain.endsWith(wantedName.slice(1)) : plain === wantedName;
}

type Base = { workspace: string; folder: string | undefined };

function beginsWith({ argv, openFrom, folder }: SimpleCommand, wanted: readonly string[], base: Base): boolean {
  const [program = '', ...rest] = openFrom === null ? argv : argv.slice(0, openFrom);
  const [wantedProgram = '', ...wantedRest] = wanted;
  if (program.trim() === '' || /[\n\r]/.test(program)) return false;
  const isThat = isRelative(wantedProgram)
    ? isRelative(program) && isSameFile(within(folder, program), within(baseFolder(base), wantedProgram))
    : program === wantedProgram || systemProgram(program, base.workspace) === wantedProgram;
  return isThat && wantedRest.every((word, index) => rest[index] === word);
}

/** Which file it is depends on the folder: `./lint` of a rule is the one in the folder of the rule. */
function isRelative(program: string): boolean {
  return program.includes('/') && !program.startsWith('/');
}

function isSameFile(file: string | undefined, other: string | undefined): boolean {
  return file !== undefined && file === other;
}

function baseFolder({ workspace, folder }: Base): string | undefined {
  if (folder === undefined) return workspace;
  return folder.startsWith('/') ? folder : within(workspace, folder);
}

function spellingFit([wantedProgram = '', ...wanted]: readonly string[], { argv, openFrom }: SimpleCommand): Fit {
  const [program = '', ...rest] = argv;
  // Some file systems do not tell RM from rm.
  if (nameOf(program).toLowerCase() !== nameOf(wantedProgram).toLowerCase()) return 'no';
  const spellings = [rest, withoutFirstOptions(nameOf(program), rest), withoutOptions(nameOf(program), rest)];
  if (spellings.some((words) => isPrefix(wanted, words))) return 'yes';
  return openFrom !== null || isScattered(wanted, rest) ? 'maybe' : 'no';
}

/** Options before the sub-command that take the next word: without them `git -C x push` would be no push. */
const TAKE_A_WORD: ReadonlyMap<string, readonly string[]> = new Map([
  ['git', ['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix']],
  ['npm', ['--prefix', '-w', '--workspace']],
  ['pnpm', ['-C', '--dir', '--filter', '-F']],
  ['docker', ['-H', '--host', '-c', '--context', '--config', '-l', '--log-level']],
  ['kubectl', ['-n', '--namespace', '--context', '--kubeconfig', '-s', '--server']],
]);

function withoutOptions(program: string, words: readonly string[]): string[] {
  const taking = TAKE_A_WORD.get(program) ?? [];
  return words.filter((word, index) => !word.startsWith('-') && !taking.includes(words[index - 1] ?? ''));
}

/** The words from the sub-command on. */
function withoutFirstOptions(program: string, words: readonly string[]): readonly string[] {
  const taking = TAKE_A_WORD.get(program) ?? [];
  const first = words.findIndex((word, index) => !word.startsWith('-') && !taking.includes(words[index - 1] ?? ''));
  return first < 0 ? [] : words.slice(first);
}

function isPrefix(wanted: readonly string[], words: readonly string[]): boolean {
  return wanted.every((word, index) => words[index] === word);
}

/** All the words in their order, with others between them: perhaps the same thing, perhaps a message that names it. */
function isScattered(wanted: readonly string[], words: readonly string[]): boolean {
  let found = 0;
  for (const word of words) if (word === wanted[found]) found += 1;
  return found === wanted.length;
}

function folderFit(folder: string, command: SimpleCommand, workspace: string): Fit {
  if (command.folder === null) return 'maybe';
  const wanted = baseFolder({ workspace, folder });
  return wanted !== undefined && isInside(command.folder, wanted) ? 'yes' : 'no';
}

/** A path that leads upwards is none of the workspace. */
function within(folder: string | null | undefined, path: string): string | undefined {
  if (folder === null || folder === undefined) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return undefined;
  return parts.length === 0 ? folder : `${folder === '/' ? '' : folder}/${parts.join('/')}`;
}

function hostFit({ host: pattern, argv, folder }: Rule, host: string | null): Fit {
  if (pattern === undefined) return 'yes';
  if (host !== null) return hostFits(pattern, host) ? 'yes' : 'no';
  // A rule about a host alone is asked when the host is reached; of a command nobody knows where it goes.
  return argv || folder !== undefined ? 'maybe' : 'no';
}

function weakest(fits: readonly Fit[]): Fit {
  if (fits.includes('no')) return 'no';
  return fits.includes('maybe') ? 'maybe' : 'yes';
}

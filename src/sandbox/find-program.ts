import { accessSync, constants, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/** The codes a shell would exit with. */
export type FoundProgram = { file: string } | { exitCode: 126 | 127; reason: string };

const PATH_DEFAULT = '/usr/local/bin:/usr/bin:/bin';

/**
 * Which file a name means, as an absolute path. Folders of PATH that are relative or empty are passed over: they would
 * mean the working folder, where an agent may have put a program of that name.
 */
export function findProgram(name: string, { cwd, PATH }: { cwd: string; PATH: string | undefined }): FoundProgram {
  if (name === '' || name.includes('\0')) return { exitCode: 127, reason: 'the command is empty or holds a NUL' };
  const folders = (PATH ?? PATH_DEFAULT).split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates = name.includes('/') ? [path.resolve(cwd, name)] : folders.map((folder) => path.join(folder, name));
  let notExecutable: string | undefined;
  for (const file of candidates) {
    const kind = kindOf(file);
    if (kind === 'executable') return { file };
    if (kind === 'other') notExecutable ??= file;
  }
  if (notExecutable !== undefined) return { exitCode: 126, reason: `${notExecutable} is not an executable file` };
  const where = name.includes('/') ? `there is no ${candidates[0]}` : `${name} is in none of ${folders.join(', ')}`;
  return { exitCode: 127, reason: where };
}

function kindOf(file: string): 'executable' | 'other' | 'missing' {
  const facts = factsOf(file);
  if (!facts) return 'missing';
  try {
    accessSync(file, constants.X_OK);
    return facts.isFile() ? 'executable' : 'other';
  } catch {
    return 'other';
  }
}

function factsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // such as in a folder that is closed to this user
  }
}

const SYSTEM_FOLDERS: readonly string[] = ['/bin', '/usr/bin'];

/** The name a program has wherever it lies: `/bin/rm` and `./rm` are called `rm`. */
export function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

/**
 * The bare name of a program of the system, else undefined: a path into the workspace may be anything, and so may a
 * name with a line break, of which a person sees half.
 */
export function systemProgram(program: string, workspace: string): string | undefined {
  if (!/^[\w./+[-]+$/.test(program)) return undefined;
  if (!program.includes('/')) return program;
  const folder = program.slice(0, program.lastIndexOf('/'));
  if (!SYSTEM_FOLDERS.includes(folder) || isInside(folder, workspace)) return undefined;
  return nameOf(program);
}

/** Both absolute and without `..`. */
export function isInside(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

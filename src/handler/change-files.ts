/** Trying again by itself helps with none of these. */
const FOR_GOOD: readonly string[] = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ERR_FS_EISDIR', 'ENOTEMPTY', 'EEXIST'],
];

/** What came of changing files in a folder, or why nobody may; everything else is thrown, to be tried again. */
export async function changeFiles<T>(change: () => Promise<T>): Promise<{ value: T } | { reason: string }> {
  try {
    return { value: await change() };
  } catch (failure) {
    if (!(failure instanceof Error) || !FOR_GOOD.includes(String((failure as NodeJS.ErrnoException).code)))
      throw failure;
    return { reason: failure.message };
  }
}

import type { BridgeProblem } from '../core/bridge/bridge-messages.js';

/** These do not go away by trying again; a disk that is full may. */
const LASTING = [
  'EROFS',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENOTDIR',
  'ENOTEMPTY',
  'EEXIST',
  'ENOENT',
  'ELOOP',
  'ERR_FS_EISDIR',
];

/** Does something in the folder of a bridge; what a person has to put right is said, and not tried for ever. */
export async function unlessUnusable<Done>(
  dir: string,
  deed: () => Promise<Done>,
): Promise<{ done: Done } | { problem: BridgeProblem }> {
  try {
    return { done: await deed() };
  } catch (failure) {
    const { code = '', message } = failure as NodeJS.ErrnoException;
    if (!LASTING.includes(code)) throw failure;
    return { problem: { code: 'BRIDGE_FOLDER_UNUSABLE', reason: `${dir} cannot be used: ${message}` } };
  }
}

import type { SessionOrder } from './session-messages.js';

/** All that a session may change by itself, where it may change anything. */
export function writablePlaces({ cwd, sandbox }: Pick<SessionOrder, 'cwd' | 'sandbox'>): readonly string[] {
  return sandbox.paths ?? [cwd, ...sandbox.writableRoots];
}

import type { Unreadable } from '../../core/policy/shell-reading.js';

/** Thrown while a line is read and caught where the line is: from here on it counts as not understood. */
export class UnreadableLine extends Error {
  readonly what: Unreadable;

  constructor(what: Unreadable, reason: string) {
    super(reason);
    this.what = what;
  }
}

export function unreadable(what: Unreadable, reason: string): never {
  throw new UnreadableLine(what, reason);
}

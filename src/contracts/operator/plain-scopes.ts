import type { Assignment } from '../generated/types/assignment.js';
import { plainLength } from '../shared/plain-path.js';

/** Up to this many scopes and locks every pair is looked at. */
const SCOPES_MAX = 16;

/**
 * A quick yes for the usual packet: few scopes, all of them plain paths, none overlapping another in any case of
 * letters. Anything else is "don't know", and the full rules decide and explain.
 */
export function scopesPlainlyHold({ task, active_locks: locks }: Assignment): boolean {
  const { lock_scope: mine, forbidden_scope: forbidden } = task;
  if (mine.length + forbidden.length + locks.length > SCOPES_MAX) return false;
  if (!everyPlain(mine) || !everyPlain(forbidden)) return false;
  for (let index = 0; index < mine.length; index += 1) {
    const scope = mine[index] as string;
    if (overlapsAny(scope, forbidden, 0) || overlapsAny(scope, mine, index + 1)) return false;
  }
  for (let index = 0; index < locks.length; index += 1) {
    const { resource } = locks[index] as { resource: string };
    if (plainLength(resource) === -1 || overlapsAny(resource, mine, 0)) return false;
    for (let later = index + 1; later < locks.length; later += 1) {
      if (plainlyOverlap(resource, (locks[later] as { resource: string }).resource)) return false;
    }
  }
  return true;
}

function everyPlain(texts: readonly string[]): boolean {
  for (let index = 0; index < texts.length; index += 1) if (plainLength(texts[index] as string) === -1) return false;
  return true;
}

function overlapsAny(text: string, others: readonly string[], from: number): boolean {
  for (let index = from; index < others.length; index += 1) {
    if (plainlyOverlap(text, others[index] as string)) return true;
  }
  return false;
}

const SLASH = 0x2f;
/** Sets letters to lower case. It also equates a few other characters, which only makes the answer more careful. */
const LOWER_CASE = 0x20;

function plainlyOverlap(one: string, other: string): boolean {
  const oneLength = withoutSlash(one);
  const otherLength = withoutSlash(other);
  const shared = Math.min(oneLength, otherLength);
  for (let index = 0; index < shared; index += 1) {
    if ((one.charCodeAt(index) | LOWER_CASE) !== (other.charCodeAt(index) | LOWER_CASE)) return false;
  }
  if (oneLength === otherLength) return true;
  return (oneLength > otherLength ? one : other).charCodeAt(shared) === SLASH;
}

function withoutSlash(text: string): number {
  return text.charCodeAt(text.length - 1) === SLASH ? text.length - 1 : text.length;
}

import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { isInside, overlaps, resourceOf } from '../../contracts/shared/resource.js';
import { shownPath } from '../git.js';

/**
 * The first of these paths, as git has them (Latin-1), that the task was not to change; undefined when there is none.
 * They are compared as they are: what a resource may be written like (`\`, spaces around it) is another file here.
 */
export function outOfScope(
  changed: readonly string[],
  { lock_scope, forbidden_scope }: Pick<PlanTask, 'lock_scope' | 'forbidden_scope'>,
): { path: string; because: string } | undefined {
  const [locked, forbidden] = [lock_scope.map(resourceOf), forbidden_scope.map(resourceOf)];
  for (const path of changed) {
    const { readable, rest } = readablePart(path);
    if (!locked.some((scope) => (readable !== '' || scope === '.') && isInside(readable, scope))) {
      return { path: shownPath(path), because: 'is outside lock_scope' };
    }
    const shut = forbidden.find((scope) => readable !== '' && (rest ? isInside : overlaps)(readable, scope));
    if (shut !== undefined) return { path: shownPath(path), because: `is inside forbidden_scope ${shut}` };
  }
  return undefined;
}

/** Names need not be UTF-8. One that is not is no resource, but it lies in a folder that may be. */
function readablePart(path: string): { readable: string; rest: boolean } {
  const names = path.split('/');
  const odd = names.findIndex((name) => Buffer.from(shownPath(name)).toString('latin1') !== name);
  const readable = (odd < 0 ? names : names.slice(0, odd)).map((name) => shownPath(name).normalize('NFC'));
  return { readable: readable.join('/'), rest: odd >= 0 };
}

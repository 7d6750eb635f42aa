import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { resourceOf } from '../../contracts/shared/resource.js';

type Scope = Pick<PlanTask, 'lock_scope'>;

/**
 * A write that a read-only mount refuses leaves no trace but what the program says about it. What tools keep for
 * themselves, and where nobody minds that they cannot, is not looked at.
 */
const KEPT_BY_TOOLS = /^(?:\.|~|node_modules|__pycache__|dist|build|out|target|coverage|tmp|temp|cache)/;
const REFUSED = /read-only file system/i;
const NAMED = [
  // node: EROFS: read-only file system, open 'a.js'; python: [Errno 30] Read-only file system: 'a.js'
  /read-only file system[^'"]{0,40}['"]([^'"]+)['"]/i,
  // touch: cannot touch 'a.js': Read-only file system; not the sign in "couldn't"
  /(?<!\w)['"‘`]([^'"’`]+)['"’`]?: read-only file system/i,
  // sh: 1: cannot create a.js: Read-only file system; bash: line 1: a.js: Read-only file system
  /(?:^|\s)([^\s:]+): read-only file system/i,
];

/** The first path in the workspace that an agent tried to change and could not, by what it has printed. */
export function refusedWrite(printed: string, workspace: string, { lock_scope }: Scope): string | null {
  for (const line of printed.split('\n')) {
    if (!REFUSED.test(line)) continue;
    const named = NAMED.map((pattern) => pattern.exec(line)?.[1]).find((path) => path !== undefined);
    const path = named === undefined ? null : inside(named, workspace);
    if (path === null || path.split('/').some((part) => KEPT_BY_TOOLS.test(part))) continue;
    if (!lock_scope.some((scope) => isToReplace(path, resourceOf(scope)))) return path;
  }
  return null;
}

const BESIDE = /^(?:~|[.-](?:tmp|temp|bak|orig|new|swp|[0-9a-f]{6,}))/i;
const OF_SED = /^sed[A-Za-z0-9]{6}$/;

/**
 * Many editors write a new file beside the one they change and put it in its place. Where only that one file may be
 * written they fail, and have tried nothing that they may not do.
 */
function isToReplace(path: string, file: string): boolean {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  if (path.startsWith(file)) return BESIDE.test(path.slice(file.length));
  return path.startsWith(folder) && OF_SED.test(path.slice(folder.length));
}

export function refusedWords(path: string, { lock_scope }: Scope): string {
  return `wrote ${path}, outside ${lock_scope.join(', ')} (write refused)`;
}

function inside(named: string, workspace: string): string | null {
  const plain = named.replace(/^(?:\.\/)+/, '');
  if (plain.startsWith(`${workspace}/`)) return plain.slice(workspace.length + 1);
  return plain.startsWith('/') || plain.startsWith('../') ? null : plain;
}

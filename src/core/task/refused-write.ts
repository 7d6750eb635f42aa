/**
 * A write that a read-only mount refuses leaves no trace but what the program says about it. What tools keep for
 * themselves, and where nobody minds that they cannot, is not looked at.
 */
const KEPT_BY_TOOLS = /^(?:\.|~|node_modules|__pycache__|dist|build|out|target|coverage|tmp|temp|cache)/;
const REFUSED = /read-only file system/i;
const NAMED = [
  // node: EROFS: read-only file system, open 'a.js'; python: [Errno 30] Read-only file system: 'a.js'
  /read-only file system[^'"]{0,40}['"]([^'"]+)['"]/i,
  // touch: cannot touch 'a.js': Read-only file system
  /['"‘`]([^'"’`]+)['"’`]?: read-only file system/i,
  // sh: 1: cannot create a.js: Read-only file system; bash: line 1: a.js: Read-only file system
  /(?:^|\s)([^\s:]+): read-only file system/i,
];

/** The first path in the workspace that an agent tried to change and could not, by what it has printed. */
export function refusedWrite(printed: string, workspace: string): string | null {
  for (const line of printed.split('\n')) {
    if (!REFUSED.test(line)) continue;
    const named = NAMED.map((pattern) => pattern.exec(line)?.[1]).find((path) => path !== undefined);
    const path = named === undefined ? null : inside(named, workspace);
    if (path !== null && !path.split('/').some((part) => KEPT_BY_TOOLS.test(part))) return path;
  }
  return null;
}

export function refusedWords(path: string, { lock_scope }: { lock_scope: readonly string[] }): string {
  return `wrote ${path}, outside ${lock_scope.join(', ')} (write refused)`;
}

function inside(named: string, workspace: string): string | null {
  const plain = named.replace(/^(?:\.\/)+/, '');
  if (plain.startsWith(`${workspace}/`)) return plain.slice(workspace.length + 1);
  return plain.startsWith('/') || plain.startsWith('../') ? null : plain;
}

import { lstatSync } from 'node:fs';

/** Null when it is there. A link in its place would lead git to somebody else's files. */
export function workspaceProblem(workspace: string): string | null {
  const there = lstatSync(workspace, { throwIfNoEntry: false });
  if (!there) return 'the folder of the workspace is gone';
  return there.isDirectory() ? null : 'the folder of the workspace was replaced by something else';
}

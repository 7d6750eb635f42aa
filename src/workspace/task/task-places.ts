import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import type { JobFolder } from '../job-folder.js';
import type { TaskRecord, WorkspaceRecord } from '../workspace-record.js';

/** All absolute. `hidesRepository`: the user's objects would tell what is hidden. */
export type TaskPlaces = {
  writable: string[];
  readOnly: string[];
  control: string[];
  hidden: string[];
  hidesRepository: boolean;
};

type Recorded = WorkspaceRecord & { task: TaskRecord };

/** What the agent of a task may reach: its workspace read-only, and in it the paths of its scope and its worklog. */
export function taskPlaces(
  { workspace }: JobFolder,
  { task, repository }: Recorded,
  { mayWork, hides }: { mayWork: boolean; hides: boolean },
): TaskPlaces {
  const within = (file: string): string => path.join(workspace, file);
  const scope = mayWork ? task.writable : [];
  const writable = [...scope, task.worklog.path].filter((file) => isThere(workspace, file)).map(within);
  const isWhole = writable.includes(workspace);
  const ours = [...new Set([...(mayWork ? task.kept : []), ...(isWhole ? ['.git', 'baton.json'] : [])])];
  const secret = hides ? task.forbidden.map(within) : [];
  const repositories = hides ? [within('.git'), repository?.commonDir, task.top] : [];
  return {
    writable,
    readOnly: [workspace],
    control: ours.map(within),
    hidden: [...secret, ...repositories].filter((one) => typeof one === 'string' && existsSync(one)) as string[],
    hidesRepository: hides,
  };
}

/** Whoever mounts a path follows links. One that an agent has put in its place is not followed. */
function isThere(workspace: string, file: string): boolean {
  const names = file.split('/').filter((name) => name !== '');
  return names.every((_, depth) => {
    const facts = lstatSync(path.join(workspace, ...names.slice(0, depth + 1)), { throwIfNoEntry: false });
    return (
      facts?.isDirectory() === true || (depth === names.length - 1 && facts?.isFile() === true && facts.nlink === 1)
    );
  });
}

import { mkdirSync } from 'node:fs';
import { jobFolder } from './job-folder.js';

/** Agents of stages only answer. Programs among them stand in a folder with nothing in it. */
export function stageFolder(home: string, run: string): string {
  const { workspace } = jobFolder(home, run);
  mkdirSync(workspace, { recursive: true, mode: 0o700 });
  return workspace;
}

import { consideredFiles } from '../files/considered-files.js';
import { firstOf } from '../first-of.js';
import type { Machine } from '../machine.js';
import { readParams } from '../read-params.js';
import type { Tool } from '../tool.js';
import { builtIn } from './built-in.js';

const FILES_DEFAULT = 200;

export function listFiles(machine: Machine): Tool {
  const about = 'Names the files of the folder: {path?, glob?, max_results?}';
  return builtIn('list_files', about, machine, async (params, { folder, git, errand: { signal }, own }) => {
    const { path, glob, max_results } = readParams(params, { path: 'text', glob: 'text', max_results: 'count' });
    const all = await consideredFiles(folder, { path, glob }, { git, signal, own });
    const { kept: files, bounded } = firstOf(all, max_results ?? FILES_DEFAULT);
    return { result: { files, ...bounded }, evidence: [] };
  });
}

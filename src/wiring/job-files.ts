/** The files that people read about jobs: written behind the journal, from it. */

import path from 'node:path';
import type { Places } from '../engine/job/job-object.js';
import type { Home } from '../engine/opened-home.js';
import type { Ports } from '../engine/ports.js';
import type { JobFiles } from '../engine/projections/job-files.js';

export async function jobFiles(
  { folder, store, clock, scrub, hasher }: Home,
  ports: Ports,
  places: Places,
): Promise<JobFiles> {
  const [files, { FileWriter }, { nodeFiles }, { NodeHistoryFiles }, { composeJobRequest }] = await Promise.all([
    import('../engine/projections/job-files.js'),
    import('../engine/projections/file-writer.js'),
    import('../system/node-files.js'),
    import('../system/node-history-files.js'),
    import('../engine/job/compose-request.js'),
  ]);
  const sources = { body: (sha256: string) => store.body(sha256), hasher };
  return new files.JobFiles({
    store,
    places,
    files: nodeFiles,
    history: new NodeHistoryFiles(),
    writer: new FileWriter(nodeFiles, clock, (file, problem) =>
      ports.log('warn', 'a file could not be written yet', { file, problem: String(problem) }),
    ),
    folderOf: (run) => path.join(folder, 'jobs', run),
    composed: (run) => async (facts) => scrub(await composeJobRequest(run, facts, sources)),
  });
}

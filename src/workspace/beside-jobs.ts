import { BatonError } from '../contracts/shared/errors.js';
import type { JobService } from '../engine/job/job-service.js';
import type { Gate } from '../sandbox/process-rows.js';
import type { WorkspaceOptions } from './deed.js';
import { learnIncluded } from './included-secrets.js';
import { jobFolder } from './job-folder.js';

/** What is done with workspaces besides the deeds of jobs. */
export function besideJobs(workspaces: WorkspaceOptions) {
  return {
    async diff(run: string, jobs: JobService, between?: { from: string; to: string }): Promise<string> {
      const { repository } = (await jobs.state(run)).order;
      if (!repository) throw new BatonError('INVALID_TRANSITION', `${run} has no repository`);
      const { diffJob } = await import('./diff-job.js');
      const found = await diffJob({ ...besides(run, workspaces), repo: repository.folder, ...between });
      if ('problem' in found) throw new BatonError('INVALID_TRANSITION', found.problem);
      return found.patch;
    },
    async evidence(run: string, file: string): Promise<string> {
      const { readEvidenceText } = await import('./evidence-text.js');
      return workspaces.scrub(await readEvidenceText(jobFolder(workspaces.home, run).workspace, file));
    },
    async cleanUp(run: string) {
      const { cleanUp } = await import('./clean-up.js');
      return cleanUp(besides(run, workspaces));
    },
    /** What an earlier process has brought into the workspace of a job is secret here as well. */
    learnSecrets: (run: string): void => learnIncluded(jobFolder(workspaces.home, run), workspaces),
  };
}

/** Nobody owns the job meanwhile, so nobody need know of its processes. */
function besides(run: string, workspaces: WorkspaceOptions) {
  const table = { add: async () => true, remove: async () => {}, list: async () => [] };
  const gate: Gate = { ...workspaces.gate, table };
  return { ...workspaces, gate, held: { run, epoch: 0 }, signal: new AbortController().signal };
}

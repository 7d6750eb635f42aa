import type { JobObject } from '../contracts/api/job-shapes.js';
import { jobObject, type Places } from '../engine/job/job-object.js';
import type { JobService } from '../engine/job/job-service.js';
import type { HandedIn, LookAt } from '../engine/job/preview-answer.js';
import type { Clock } from '../engine/ports.js';

/** What an answer by hand would lead to, with its evidence looked at. Nothing is written. */
export function answerPreview(jobs: JobService, places: Places, clock: Clock) {
  return async (run: string, answer: Omit<HandedIn, 'atMs'>): Promise<{ object: JobObject; checks: boolean }> => {
    const [{ previewAnswer }, { readEvidence }] = await Promise.all([
      import('../engine/job/preview-answer.js'),
      import('./evidence.js'),
    ]);
    const limits = { clock, signal: new AbortController().signal };
    const lookAt: LookAt = async (workspace, named) =>
      workspace ? readEvidence(workspace.folder, named, limits) : { fault: null, missing: [] };
    const after = await previewAnswer(await jobs.state(run), { ...answer, atMs: clock.nowMs() }, lookAt);
    return { object: jobObject(run, after.job, places, null), checks: after.checks };
  };
}

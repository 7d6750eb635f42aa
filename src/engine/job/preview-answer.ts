import { readAnswer } from '../../contracts/job/read-answer.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { jobDecider } from '../../core/job/job-decider.js';
import type { CheckedWork, Reading, Workspace } from '../../core/job/job-deeds.js';
import { checkKey, collectKey, WORKSPACE_KEY } from '../../core/job/job-effects.js';
import type { JobCommand } from '../../core/job/job-messages.js';
import type { LiveJob } from '../../core/job/job-state.js';
import { NO_TEXT } from './replay-order.js';

export type HandedIn = { atMs: number; handoff: string | null; role: string; text: string };
/** What is there of the files an answer names. */
export type LookAt = (
  workspace: Workspace | null,
  named: readonly string[],
) => Promise<Pick<Reading, 'fault' | 'missing'>>;

/** The job as an answer by hand would leave it, provided that its checks pass. Nothing is recorded. */
export async function previewAnswer(
  job: LiveJob,
  { atMs, handoff, role, text }: HandedIn,
  lookAt: LookAt,
): Promise<{ job: LiveJob; checks: boolean }> {
  const { workspace } = job;
  let now = decided(structuredClone(job), { type: 'PostStep', atMs, handoff, role, answer: NO_TEXT });
  const { response, fault, violation, warnings, reported } = readAnswer(text, { exact: true });
  const looked = await lookAt(workspace, response?.evidence_files ?? []);
  if (!workspace) now = performed(now, atMs, WORKSPACE_KEY, nowhere());
  const { stage } = now;
  if (stage.name !== 'collecting') return { job: { ...now, workspace }, checks: false };
  const reading: Reading = {
    ...{ action: response?.action ?? null, fault: fault ?? looked.fault, violation, warnings, reported },
    ...{ missing: looked.missing, summary: NO_TEXT, advice: NO_TEXT, evidence: [], unnamed: [], commit: null },
    changed: { files: 0, added: 0, removed: 0 },
  };
  now = performed(now, atMs, collectKey(stage.handoff), reading);
  if (now.stage.name !== 'checking') return { job: { ...now, workspace }, checks: false };
  const passed: CheckedWork = { results: [], protectedChanged: [], guidance: null };
  const proven = performed(now, atMs, checkKey(now.stage.handoff), passed);
  return { job: { ...proven, workspace }, checks: true };
}

function nowhere() {
  return { folder: '', branch: null, base: null, setupMs: 0, leftOut: 0, notes: [] };
}

function performed(job: LiveJob, atMs: number, key: string, result: object): LiveJob {
  return decided(job, { type: 'Performed', atMs, key, result });
}

function decided(job: LiveJob, command: JobCommand): LiveJob {
  const decision = jobDecider.decide(job, command);
  if ('refusal' in decision) {
    const { code, reason, details } = decision.refusal;
    throw new BatonError(code, reason, details);
  }
  let now = job;
  for (const event of decision.events) now = jobDecider.evolve(now, event) as LiveJob;
  return now;
}

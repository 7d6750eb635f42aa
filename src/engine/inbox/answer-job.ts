import { BatonError } from '../../contracts/shared/errors.js';
import { isAbout } from '../../core/job/job-inbox.js';
import { duePhase, type LiveJob, openQuestion } from '../../core/job/job-state.js';
import type { JobService } from '../job/job-service.js';
import type { InboxRow } from '../ports.js';
import type { Origin } from '../seal.js';
import type { Answer } from './answer.js';
import { raisedTo } from './raised-to.js';

type By = Pick<Origin, 'actor' | 'key'>;

/** Turns the answer to an item of a job into the command it means. */
export async function answerJob(
  jobs: JobService,
  { run, kind, item, key }: InboxRow,
  answer: Answer,
  by: By,
): Promise<unknown> {
  const job = await jobs.state(run);
  const { decision, text, raise } = answer;
  const { stage } = job;
  // Whoever answers has read this item, and not what was asked since.
  if (!isAbout(key, openQuestion(job))) throw new BatonError('ITEM_CLOSED', `item ${item} is over`, { item });
  if (stage.name === 'approving') return decideWanted(jobs, run, stage.question, answer, by);
  if (stage.name === 'asking') return takeTurn(jobs, run, job, answer, by);
  if (raise !== undefined)
    return jobs.send(run, { type: 'Raise', limits: raisedTo(job.order.limits, job.spent, raise) }, by);
  if (kind === 'limit' && stage.name === 'resting' && stage.why === 'limit') {
    if (decision === 'deny' && text === undefined) return jobs.send(run, { type: 'Cancel' }, by);
    throw new BatonError('USAGE', `a limit takes --raise N or --deny: baton answer ${item} --raise N`);
  }
  const sealed = text === undefined ? undefined : jobs.seal(text);
  const bodies = sealed ? [sealed.body] : [];
  const guidance = sealed?.ref ?? null;
  if (decision === 'approve') return jobs.send(run, { type: 'Approve' }, by);
  if (kind === 'approval' || kind === 'protected') {
    return jobs.send(run, { type: 'Reject', guidance, phase: null }, by, bodies);
  }
  if (decision === 'deny') return jobs.send(run, { type: 'Terminate' }, by);
  return jobs.send(run, { type: 'Resubmit', guidance, phase: null }, by, bodies);
}

/** Yes or no; what is said besides, the agent is told with a no. */
function decideWanted(
  jobs: JobService,
  run: string,
  question: number,
  { decision, text, raise }: Answer,
  by: By,
): Promise<unknown> {
  if (decision === undefined || raise !== undefined) {
    throw new BatonError('USAGE', 'an agent asks whether it may: say --approve, or --deny with --guidance "…"');
  }
  const said = decision === 'approve' ? 'approved' : 'denied';
  return jobs.send(run, { type: 'Decide', question, decision: said, guidance: text ?? null }, by);
}

/** It is a person's turn: yes is done, no sends a review back, and an object is taken as it is. */
async function takeTurn(
  jobs: JobService,
  run: string,
  job: LiveJob,
  { decision, text, raise }: Answer,
  by: By,
): Promise<unknown> {
  const { role } = duePhase(job);
  if (raise !== undefined || (decision === undefined && !text?.trimStart().startsWith('{'))) {
    throw new BatonError('USAGE', 'it is your turn: say --approve or --deny, with --text what you have seen');
  }
  const said = decision === undefined ? (text ?? '') : JSON.stringify(answerOf(decision, role, text, by.actor));
  const { ref, body } = jobs.seal(said);
  return jobs.send(run, { type: 'PostStep', handoff: null, role, answer: ref }, by, [body]);
}

function answerOf(decision: 'approve' | 'deny', role: string, text: string | undefined, actor: string) {
  const refusal = role === 'Supervisor' ? 'RETRY' : 'STUCK';
  const action = decision === 'approve' ? 'COMPLETED' : refusal;
  const summary = text ?? (decision === 'approve' ? `Done by ${actor}.` : `Refused by ${actor}.`);
  return { action, evidence_files: [], summary_for_supervisor: summary };
}

import type { JobInteraction } from '../../contracts/generated/types/job-history.js';
import { TRIES_MAX } from '../../core/job/job-attempt.js';
import { isFinal, type JobStatus } from '../../core/job/job-status.js';
import type { AttemptNotes } from '../projections/job-history.js';
import { MOVES_OF_PEOPLE } from './replay-between.js';
import type { Mismatch, Replay } from './replay-history.js';

type Response = JobInteraction['response'];
type Working = 'RUNNING' | 'REVIEWING';
const HALTS: readonly JobStatus[] = ['HALTED_COST', 'HALTED_TIME', 'INTERVENTION_REQUIRED'];
const STUCK: readonly JobStatus[] = ['INTERVENTION_REQUIRED'];

/**
 * Where each end of an attempt can lead, for all workflows and limits there can be. `same` is the status in which
 * the agent worked; a pair that is not here does not exist.
 */
const LEADS_TO: Readonly<Record<string, (same: Working) => readonly JobStatus[]>> = {
  'SUCCESS COMPLETED': () => ['RUNNING', 'REVIEWING', 'SUCCESS', ...HALTS],
  'SUCCESS RETRY': () => ['PENDING', ...HALTS],
  'SUCCESS STUCK': () => STUCK,
  'ERROR STUCK': () => STUCK,
  'ERROR RETRY': (same) => [same, 'PENDING', 'HALTED_COST', 'INTERVENTION_REQUIRED'],
  'TIMEOUT STUCK': () => STUCK,
  'TIMEOUT RETRY': (same) => [same, 'HALTED_TIME'],
};

/** For histories that do not tell their workflow: only what can happen in none is a mismatch. */
export class TableReplay implements Replay {
  private before: JobInteraction | undefined;
  private tries = new Map<string, number>();

  problem(interaction: JobInteraction, next: JobInteraction | undefined): Mismatch | undefined {
    const found = this.stateProblem(interaction) ?? this.moveProblem(interaction) ?? goesOnProblem(interaction, next);
    this.before = interaction;
    return found;
  }

  private stateProblem(interaction: JobInteraction): Mismatch | undefined {
    const { state_before: found, attempt = 1 } = interaction;
    const { before } = this;
    if (peopleActed(interaction)) this.tries.clear();
    const due: readonly JobStatus[] = before ? ['PENDING', workingStatus(interaction)] : ['PENDING'];
    if (!due.includes(found)) return { reason: 'nobody is due in this state', expected: due, found };
    const expected = before?.response.new_status;
    if (expected === undefined || expected === found) return undefined;
    const byPerson = attempt === 1 && MOVES_OF_PEOPLE.some(({ from, to }) => from === expected && to === found);
    if (!byPerson) return { reason: 'state_before is not the status that was reached', expected, found };
    // What a person said is not told; many of their moves begin the count anew.
    this.tries.clear();
    return undefined;
  }

  private moveProblem(interaction: JobInteraction): Mismatch | undefined {
    const { status, action, new_status: found } = interaction.response;
    const leads = LEADS_TO[`${status} ${action}`];
    if (!leads) return { reason: `${status} never comes with ${action}`, expected: actionsOf(status), found: action };
    const tries = this.count(interaction);
    const expected = leads(workingStatus(interaction)).filter((one) => tries < TRIES_MAX || one !== 'PENDING');
    if (found === undefined || expected.includes(found)) return undefined;
    return { reason: 'new_status does not follow from the action', expected, found };
  }

  /** RETRYs of this phase in a row. */
  private count({ request: { metadata }, response: { status, action }, x_attempt }: JobInteraction): number {
    const phase = metadata.phase ?? metadata.role ?? '';
    // Who had not heard what it was told goes on; that is none of its tries.
    if (status !== 'SUCCESS' || notesOf(x_attempt).cause === 'told') return 0;
    const tries = action === 'RETRY' ? (this.tries.get(phase) ?? 0) + 1 : 0;
    this.tries.set(phase, tries);
    return tries;
  }
}

/** Ours say so even where no workflow is told: who begins anew may do that without another status. */
function peopleActed({ x_attempt }: JobInteraction): boolean {
  const { since = [] } = notesOf(x_attempt);
  return since.some(({ what }) => what !== 'workspace' && what !== 'rest' && what !== 'limits');
}

function notesOf(x_attempt: unknown): Partial<AttemptNotes> {
  return (x_attempt ?? {}) as Partial<AttemptNotes>;
}

/** After an end nothing comes, and who works next fits the status that was reached. */
function goesOnProblem({ response }: JobInteraction, next: JobInteraction | undefined): Mismatch | undefined {
  const { new_status: found, action } = response;
  if (!next || found === undefined) return undefined;
  if (isFinal(found)) return { reason: 'it goes on after its end', expected: next.state_before, found };
  const expected = workingStatus(next);
  const isDue = found === 'RUNNING' || found === 'REVIEWING';
  if (action !== 'COMPLETED' || !isDue || found === expected || next.state_before === 'PENDING') return undefined;
  return { reason: 'another role is due then', expected, found };
}

function workingStatus({ request: { metadata } }: JobInteraction): Working {
  return metadata.role === 'Supervisor' ? 'REVIEWING' : 'RUNNING';
}

function actionsOf(status: Response['status']): string[] {
  return Object.keys(LEADS_TO).flatMap((pair) =>
    pair.startsWith(`${status} `) ? [pair.slice(status.length + 1)] : [],
  );
}

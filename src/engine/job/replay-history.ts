import type { JobHistory, JobInteraction } from '../../contracts/generated/types/job-history.js';
import { jobHistory } from '../../contracts/job/job-history.js';
import { readAnswer } from '../../contracts/job/read-answer.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { MachineReplay } from './replay-machine.js';
import { numberingProblem } from './replay-numbering.js';
import { orderOf } from './replay-order.js';
import { TableReplay } from './replay-table.js';

/** What a history says, and what follows from all that stands before it. */
export type Mismatch = {
  /** Where it is, when not at the interaction that was looked at. */
  sequence?: number;
  reason: string;
  expected: unknown;
  found: unknown;
};
export type Replayed = { ok: true; checked: number } | ({ ok: false } & Required<Mismatch>);

/** Goes through the interactions in order; `next` is the one behind, where there is one. */
export interface Replay {
  problem(interaction: JobInteraction, next: JobInteraction | undefined): Mismatch | undefined;
}

/**
 * Recomputes every move of a history and names the first that does not follow. A history of our own says which
 * workflow it had: the machine itself is driven through it. Others are compared with the moves the contract allows.
 * Throws when it is no history at all.
 */
export function replay(input: unknown, { until }: { until?: number } = {}): Replayed {
  const history = parseContract(jobHistory, input);
  const whole = interactionsOf(history);
  const walk = new ReplayWalk(judgeOf(history), firstOf(history));
  for (const [index, interaction] of whole.slice(0, until).entries()) {
    const found = walk.problem(interaction, whole[index + 1]);
    if (found) return found;
  }
  return { ok: true, checked: walk.checked };
}

/** Looks at one interaction after the other, and keeps only the last. */
export class ReplayWalk {
  checked = 0;
  private before: JobInteraction | undefined;
  private readonly judge: Replay;
  private readonly first: number | undefined;

  constructor(judge: Replay, first?: number) {
    this.judge = judge;
    this.first = first;
  }

  problem(interaction: JobInteraction, next: JobInteraction | undefined): Extract<Replayed, { ok: false }> | undefined {
    const found =
      numberingProblem(interaction, this.before, this.first) ??
      answerProblem(interaction) ??
      this.judge.problem(interaction, next);
    if (found) return { ok: false, sequence: interaction.sequence, ...found };
    this.before = interaction;
    this.checked += 1;
    return undefined;
  }
}

export function interactionsOf(history: JobHistory): readonly JobInteraction[] {
  return Array.isArray(history) ? history : history.interactions;
}

function judgeOf(history: JobHistory): Replay {
  const order = Array.isArray(history) || firstOf(history) !== undefined ? undefined : orderOf(history.x_workflow);
  return order ? new MachineReplay(order) : new TableReplay();
}

/** After a rotation a file begins where its last part ended. */
function firstOf(history: JobHistory): number | undefined {
  const first = Array.isArray(history) ? undefined : history.x_first;
  return typeof first === 'number' && first > 0 ? first : undefined;
}

/** An answer that counted is a valid one, and says what was done, unless it claimed to be done and was turned down. */
function answerProblem({ response }: JobInteraction): Mismatch | undefined {
  const { status, action, raw_response: raw } = response;
  if (status !== 'SUCCESS') return undefined;
  const { response: said, fault } = readAnswer(raw, { exact: false });
  if (!said) {
    return { reason: `raw_response is no valid answer: ${fault?.reason}`, expected: 'an agent response', found: raw };
  }
  const turnedDown = said.action === 'COMPLETED' && action === 'RETRY';
  if (said.action === action || turnedDown) return undefined;
  return { reason: 'the action is not the one in raw_response', expected: said.action, found: action };
}

import type { JobInteraction } from '../../contracts/generated/types/job-history.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { RunId } from '../ports.js';
import { HistoryFold } from '../projections/history-fold.js';
import { interactionsIn, type Texts, tailOf } from '../projections/job-history.js';
import { type Replayed, ReplayWalk } from './replay-history.js';
import { MachineReplay } from './replay-machine.js';
import { orderOf } from './replay-order.js';
import { TableReplay } from './replay-table.js';

/** As `replay` of the history of a job in the store, however long: never more than two of its interactions are held. */
export async function replayJob(
  run: RunId,
  events: AsyncIterable<JobEvent> | Iterable<JobEvent>,
  texts: Texts,
  { until = Number.POSITIVE_INFINITY }: { until?: number } = {},
): Promise<Replayed> {
  const fold = new HistoryFold();
  let walk: ReplayWalk | undefined;
  let last: JobInteraction | undefined;
  for await (const interaction of interactionsIn(fold, run, events, texts)) {
    walk ??= walkOf(fold);
    const found = last && walk.checked < until ? walk.problem(last, interaction) : undefined;
    if (found) return found;
    last = interaction;
  }
  const found = last && walk && walk.checked < until ? walk.problem(last, undefined) : undefined;
  return found ?? { ok: true, checked: walk?.checked ?? 0 };
}

function walkOf(fold: HistoryFold): ReplayWalk {
  const order = orderOf(tailOf(fold).x_workflow);
  return new ReplayWalk(order ? new MachineReplay(order) : new TableReplay());
}

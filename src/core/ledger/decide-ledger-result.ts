import { exhausted, usedWords } from '../kernel/budget.js';
import { type EffectResult, NO_USAGE } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import type { LedgerDeeds, Merged } from '../task/task-deeds.js';
import { begun } from './begin-problem.js';
import { askPlanner, mayReplan, takeNextDelta } from './decide-plan.js';
import { type Beats, decideTick, dueNow, nextLookMs } from './decide-silence.js';
import { afterTrouble, askAbout } from './decide-trouble.js';
import {
  applyKey,
  beatsKey,
  beginKey,
  childKey,
  leavingKey,
  mergeKey,
  notifyKey,
  planKey,
  replanKey,
  stopKey,
} from './ledger-effects.js';
import type { LedgerEvent } from './ledger-messages.js';
import { agentOf, type LiveLedger, type TaskRow } from './ledger-state.js';

/** What became of an effect. Results of effects that are no longer owed are history, not instructions. */
export function decideLedgerResult(ledger: LiveLedger, result: EffectResult): LedgerEvent[] {
  const { atMs, key } = result;
  switch (result.type) {
    case 'Woke':
      return woke(ledger, key, atMs);
    case 'Performed':
      if (key === mergeKey(ledger)) return merged(ledger, result.result as LedgerDeeds['merge']['result'], atMs);
      if (key === beatsKey(ledger)) return watched(ledger, result.result as LedgerDeeds['beats']['result'], atMs);
      return [];
    case 'Ended':
      return ended(ledger, key, result, atMs);
    case 'Told': {
      const run = [...ledger.leaving].find(([one, stops]) => stops && stopKey(one) === key)?.[0];
      return run === undefined ? [] : [{ type: 'AttemptToldToStop', atMs, run }];
    }
    case 'Notified': {
      const asked = [...ledger.questions].find(([number, { notified }]) => !notified && notifyKey(number) === key);
      return asked ? [{ type: 'StewardNotified', atMs, question: asked[0] }] : [];
    }
    case 'Failed':
      if (key === mergeKey(ledger)) return merged(ledger, { problem: result.reason, kind: 'workspace' }, atMs);
      return key === beatsKey(ledger) ? [{ type: 'WatchEnded', atMs, nextMs: nextLookMs(ledger, {}, atMs) }] : [];
    case 'Answered':
    case 'Asks':
    case 'Lost':
    case 'Executed':
    case 'Admitted':
    case 'Parked':
    case 'Afforded':
      return [];
    default:
      return unreachable(result);
  }
}

function woke(ledger: LiveLedger, key: string, atMs: number): LedgerEvent[] {
  if (key === beginKey(ledger)) return beginNext(ledger, atMs);
  if (key === applyKey(ledger)) return takeNextDelta(ledger, atMs);
  if (key === replanKey(ledger)) {
    const asked = mayReplan(ledger) ? askPlanner(ledger, atMs) : { events: [] };
    return 'events' in asked ? [...asked.events] : [];
  }
  if (key.startsWith('due-')) return dueNow(ledger, atMs);
  const { watch } = ledger;
  return watch && !watch.looking && key.startsWith('watch-') && watch.atMs <= atMs
    ? [{ type: 'WatchBegun', atMs }]
    : [];
}

/** As many as there is room for; nothing more once a limit is reached. */
function beginNext(ledger: LiveLedger, atMs: number): LedgerEvent[] {
  const { order, spent, active, queue, halt } = ledger;
  if (!ledger.going || halt) return [];
  const limit = exhausted(order.limits, spent);
  if (limit) {
    const reason = `${usedWords(limit, spent, order.limits)} are used up`;
    return [{ type: 'LedgerHalted', atMs, question: ledger.asked + 1, why: 'limit', reason }];
  }
  return queue.next(order.concurrency - active.size).flatMap((task) => {
    const row = ledger.tasks.get(task) as TaskRow;
    const owner = agentOf(ledger, row);
    return owner === null ? [] : [begun(row, { atMs, owner, epoch: null, own: true })];
  });
}

function merged(ledger: LiveLedger, result: LedgerDeeds['merge']['result'], atMs: number): LedgerEvent[] {
  if ('problem' in result) {
    return [{ type: 'LedgerHalted', atMs, question: ledger.asked + 1, why: 'merge', reason: result.problem }];
  }
  const conflicts: { task: string; code: 'MERGE_CONFLICT'; reason: string }[] = [];
  const moved = result.merged.flatMap((one): LedgerEvent[] => {
    const { task } = one;
    if (!ledger.merging.has(task) || ledger.tasks.get(task)?.attempt !== one.attempt) return [];
    if ('commit' in one)
      return [{ type: 'TaskMoved', atMs, task, to: 'done', code: null, reason: null, commit: one.commit }];
    const reason = conflictWords(one);
    conflicts.push({ task, code: 'MERGE_CONFLICT', reason });
    return [{ type: 'TaskMoved', atMs, task, to: 'blocked', code: 'MERGE_CONFLICT', reason }];
  });
  return [...moved, ...askAbout(ledger, conflicts, atMs)];
}

const FILES_NAMED_MAX = 5;

function conflictWords({ conflicts }: Extract<Merged, { conflicts: readonly string[] }>): string {
  const more = conflicts.length > FILES_NAMED_MAX ? ` and ${conflicts.length - FILES_NAMED_MAX} more` : '';
  return `it does not fit to what the branch has become: ${conflicts.slice(0, FILES_NAMED_MAX).join(', ')}${more}`;
}

function watched(ledger: LiveLedger, { beats }: { beats: Beats }, atMs: number): LedgerEvent[] {
  const silent = decideTick(ledger, beats, atMs);
  return [...silent, { type: 'WatchEnded', atMs, nextMs: nextLookMs(ledger, beats, atMs) }];
}

/** An attempt that has ended without telling what came of it was not heard: it counts as failed. */
function ended(
  ledger: LiveLedger,
  key: string,
  { run, status }: Extract<EffectResult, { type: 'Ended' }>,
  atMs: number,
): LedgerEvent[] {
  if (ledger.leaving.has(run) && key === leavingKey(run)) return [{ type: 'AttemptEnded', atMs, run }];
  if (ledger.plan.underWay && key === planKey(ledger)) {
    const reason = `${run} has ended as ${status} and told nothing`;
    const { asked: number } = ledger.plan;
    const used = { usage: NO_USAGE, activeMs: 0 };
    return [{ type: 'PlanTaken', atMs, number, deltas: [], code: 'AGENT_FAILED', reason, ...used }];
  }
  for (const task of ledger.active) {
    const row = ledger.tasks.get(task) as TaskRow;
    if (!row.begun || childKey(row) !== key) continue;
    const reason = `${run} has ended as ${status} and told nothing`;
    return afterTrouble(ledger, row, { status: 'failed', code: 'AGENT_FAILED', reason }, atMs);
  }
  return [];
}

import type { WorklogEntry } from '../../contracts/generated/types/worklog-entry.js';
import type { LedgerEvent } from '../../core/ledger/ledger-messages.js';
import type { EventRow, EventStore, RunId } from '../ports.js';

const PAGE = 1_000;
const ACTOR = 'baton';

type Store = Pick<EventStore, 'events' | 'body'>;

/** The worklog of a task, or of all: what agents have appended, between what Baton itself has to say. */
export async function worklogEntries(store: Store, run: RunId, task: string | null): Promise<WorklogEntry[]> {
  const entries: WorklogEntry[] = [];
  for (let after = 0; ; ) {
    const rows = await store.events(run, after, PAGE);
    for (const row of rows) entries.push(...(await entriesOf(store, run, task, row)));
    if (rows.length < PAGE) return entries;
    after = rows.at(-1)?.seq ?? after;
  }
}

async function entriesOf(store: Store, run: RunId, task: string | null, { type, data, at }: EventRow) {
  if (!TYPES.has(type)) return [];
  const event = { ...JSON.parse(data), type } as Extract<LedgerEvent, { task: string }>;
  if (task !== null && event.task !== task) return [];
  if (event.type === 'ResultTaken') return event.worklog ? linesOf(await store.body(event.worklog.sha256)) : [];
  const said = ownWords(event);
  return said ? [{ timestamp: at, run_id: run, task_id: event.task, actor: ACTOR, files_touched: [], ...said }] : [];
}

const TYPES: ReadonlySet<string> = new Set(['TaskAssigned', 'ResultTaken', 'TaskMoved', 'TaskRequeued']);

/** Lines were validated when they came. */
function linesOf(bytes: Uint8Array | undefined): WorklogEntry[] {
  const lines = new TextDecoder().decode(bytes).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WorklogEntry);
}

type Said = Pick<WorklogEntry, 'action' | 'decision' | 'result' | 'next_step' | 'code' | 'evidence'>;

function ownWords(event: Extract<LedgerEvent, { task: string }>): Said | undefined {
  switch (event.type) {
    case 'TaskAssigned': {
      const decision = `attempt ${event.attempt} is given to ${event.owner}`;
      return { action: 'assign', decision, result: 'in_progress', next_step: 'work inside lock_scope, then hand in' };
    }
    case 'TaskMoved': {
      const { to, code, reason, commit } = event;
      const action = code === 'TASK_TIMEOUT' ? 'timeout' : 'result';
      return {
        ...{ action, decision: reason ?? `it is ${to}`, result: to, next_step: NEXT[to] ?? 'none' },
        ...(code !== null && { code }),
        ...(commit !== undefined && { evidence: `commit ${commit}` }),
      };
    }
    case 'TaskRequeued': {
      const { code, reason, agent, alone } = event;
      const how = agent === undefined ? (alone ? ', alone' : '') : `, by ${agent}`;
      return { action: 'retry', decision: reason, result: 'todo', next_step: `it is tried again${how}`, code };
    }
    default:
      return undefined;
  }
}

const NEXT: Readonly<Record<string, string>> = {
  blocked: 'somebody decides: baton inbox',
  failed: 'give it to another agent in a new plan',
};

import type { SessionApproval, SessionBoard } from '../../contracts/api/session-shapes.js';
import { statusOf } from '../../core/session/session-decider.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { EventStore, InboxRow, RunRow } from '../ports.js';
import { sessionCard } from './session-card.js';
import type { SessionDesk, WireEvent } from './session-desk.js';
import { shownIn, type ToldRow } from './session-entries.js';
import { SessionStory } from './session-story.js';

type Sources = {
  store: Pick<EventStore, 'events' | 'body'>;
  desk: Pick<SessionDesk, 'events'>;
};

const ROWS_MAX = 4_000;
const PAGE = 500;
const MICRO_PER_USD = 1_000_000;

export async function sessionBoard(
  sources: Sources,
  { row, session, items }: { row: RunRow; session: LiveSession; items: readonly InboxRow[] },
): Promise<SessionBoard> {
  const earlier = Math.max(0, row.version - ROWS_MAX);
  const told = await toldRows(sources, row.run, earlier);
  const story = new SessionStory();
  for (const one of told) {
    const { event } = one;
    const said = event.type === 'TaskStarted' && event.entry ? await sources.store.body(event.entry.sha256) : undefined;
    story.tell(one, said ? new TextDecoder().decode(said) : null);
  }
  const { order, contextTokens, task, head, nodes, origin } = session;
  const { mode, writableRoots, networkAccess } = order.sandbox;
  return {
    ...sessionCard(row, session, items[0]?.item ?? null),
    status: statusOf(session),
    approval_policy: order.approval,
    sandbox_policy: { mode, writable_roots: writableRoots, network_access: networkAccess },
    limits: limitsOf(session),
    context: { tokens: task?.contextTokens || contextTokens, window: order.contextWindow },
    plan: story.plan && { explanation: story.plan.explanation, plan: story.plan.plan },
    rules: { ...story.counts, approved_for_session: session.approved.size },
    approvals: approvalsIn(told, session, items),
    task: task && {
      ...{ id: task.id, stage: task.stage.name, turn: task.turn },
      started_at: story.tasks.at(-1)?.started_at ?? null,
      retry_at: task.stage.name === 'pausing' ? new Date(task.stage.untilMs).toISOString() : null,
    },
    last_response_id: head === null ? origin : (nodes[head]?.responseId ?? null),
    tasks: story.tasks,
    earlier,
  };
}

/** The journal, each row with what clients are told of it. */
async function toldRows({ store, desk }: Sources, run: string, after: number): Promise<readonly ToldRow[]> {
  const rows = await store.events(run, after, ROWS_MAX);
  const last = rows.at(-1)?.seq ?? after;
  const events = new Map<number, WireEvent>();
  for (let at = after; at < last; ) {
    const page = await desk.events(run, at, PAGE);
    for (const event of page.events) if (event.seq !== undefined) events.set(event.seq, event);
    if (page.next <= at) break;
    at = page.next;
  }
  return rows.map((row) => ({
    row,
    event: { ...JSON.parse(row.data), type: row.type } as SessionEvent,
    msg: events.get(row.seq)?.msg,
  }));
}

function approvalsIn(
  told: readonly ToldRow[],
  { task }: LiveSession,
  items: readonly InboxRow[],
): readonly SessionApproval[] {
  const waits = [...(task?.calls.values() ?? [])].filter(({ stage }) => stage.name === 'waiting');
  return waits.flatMap(({ id }): SessionApproval[] => {
    const asked = told.findLast(({ event }) => event.type === 'ApprovalAsked' && event.call === id);
    if (asked?.event.type !== 'ApprovalAsked') return [];
    const { event, row, msg } = asked;
    const { kind, title, hash, where, reason, again } = event;
    const item = items.find(({ key }) => key === id)?.item ?? null;
    return [{ call_id: id, kind, ...shownIn(msg), item, asked_at: row.at, title, hash, where, reason, again }];
  });
}

function limitsOf({ order: { limits } }: LiveSession): SessionBoard['limits'] {
  return {
    cost_usd: limits.costMicroUsd ? limits.costMicroUsd / MICRO_PER_USD : null,
    tokens: limits.tokens || null,
    seconds: limits.activeMs ? limits.activeMs / 1_000 : null,
    asks: limits.asks || null,
  };
}

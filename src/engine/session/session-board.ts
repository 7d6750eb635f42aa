import type { SessionApproval, SessionBoard } from '../../contracts/api/session-shapes.js';
import { askedWords } from '../../core/session/asked-words.js';
import { statusOf } from '../../core/session/session-decider.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import { type LiveSession, turnOf } from '../../core/session/session-state.js';
import type { EventStore, InboxRow, RunRow } from '../ports.js';
import { sessionCard } from './session-card.js';
import type { SessionDesk } from './session-desk.js';
import { shownIn, type ToldRow } from './session-entries.js';
import { sessionStop } from './session-stop.js';
import { ToldTasks } from './told-tasks.js';

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
  const story = new ToldTasks();
  const asked = new OpenQuestions(session);
  const after = Math.max(0, row.version - ROWS_MAX);
  for await (const told of toldRows(sources, row.run, after)) {
    const { event } = told;
    const said = event.type === 'TaskStarted' && event.entry ? await sources.store.body(event.entry.sha256) : undefined;
    story.tell(told, said ? new TextDecoder().decode(said) : null);
    asked.see(told);
  }
  const stopped = await sessionStop(sources.store, row, session);
  const { order, contextTokens, task, head, nodes, origin } = session;
  const { mode, writableRoots, networkAccess } = order.sandbox;
  return {
    ...sessionCard(row, session, { item: items[0]?.item ?? null, stopped }),
    status: statusOf(session),
    approval_policy: order.approval,
    sandbox_policy: { mode, writable_roots: writableRoots, network_access: networkAccess },
    limits: limitsOf(session),
    context: { tokens: task?.contextTokens || contextTokens, window: order.contextWindow },
    plan: story.plan && { explanation: story.plan.explanation, plan: story.plan.plan },
    rules: { ...story.counts, approved_for_session: session.approved.size },
    approvals: asked.approvals(items),
    task: task && {
      ...{ id: task.id, stage: task.stage.name, turn: turnOf(task) },
      started_at: story.tasks.at(-1)?.started_at ?? null,
      retry_at: task.stage.name === 'pausing' ? new Date(task.stage.untilMs).toISOString() : null,
    },
    last_response_id: head === null ? origin : (nodes[head]?.responseId ?? null),
    tasks: story.tasks,
    earlier: Math.max(after, story.letGoUpTo),
  };
}

/** The journal, each row with what clients are told of it. A page at a time: outputs of commands are long. */
async function* toldRows({ store, desk }: Sources, run: string, after: number): AsyncGenerator<ToldRow> {
  for (let at = after; at < after + ROWS_MAX; ) {
    const { events, next } = await desk.events(run, at, PAGE);
    if (next === at) return;
    const messages = new Map(events.map(({ seq, msg }) => [seq, msg]));
    for (const row of await store.events(run, at, next - at)) {
      const event = { ...JSON.parse(row.data), type: row.type } as SessionEvent;
      yield { row, event, msg: messages.get(row.seq) };
    }
    at = next;
  }
}

/** What a person is asked right now. Told as a whole: the answer is to all of it. */
class OpenQuestions {
  private readonly found = new Map<string, Omit<SessionApproval, 'item'> | null>();

  constructor({ task }: LiveSession) {
    for (const { id, stage } of task?.calls.values() ?? []) if (stage.name === 'waiting') this.found.set(id, null);
  }

  see({ event, row, msg }: ToldRow): void {
    if (event.type !== 'ApprovalAsked' || !this.found.has(event.call)) return;
    const { call, kind, title, hash, where, reason, again } = event;
    const shown = kind === 'mcp' ? toolIn(shownIn(msg)) : shownIn(msg);
    const known = { call_id: call, kind, ...shown, asked_at: row.at };
    this.found.set(call, { ...known, title, hash, where, ...askedWords(reason), again });
  }

  approvals(items: readonly InboxRow[]): readonly SessionApproval[] {
    return [...this.found.values()].flatMap((asked) => {
      const item = items.find(({ key }) => key === asked?.call_id)?.item ?? null;
      return asked ? [{ ...asked, item }] : [];
    });
  }
}

/** A tool of a server is asked for like a command; here it is what it is. */
function toolIn({ command, ...shown }: ReturnType<typeof shownIn>): ReturnType<typeof shownIn> {
  const [, server, tool, given = '{}'] = command ?? [];
  return { ...shown, command: null, cwd: null, arguments: { server, tool, arguments: JSON.parse(given) } };
}

function limitsOf({ order: { limits } }: LiveSession): SessionBoard['limits'] {
  return {
    cost_usd: limits.costMicroUsd ? limits.costMicroUsd / MICRO_PER_USD : null,
    tokens: limits.tokens || null,
    seconds: limits.activeMs ? limits.activeMs / 1_000 : null,
    asks: limits.asks || null,
  };
}

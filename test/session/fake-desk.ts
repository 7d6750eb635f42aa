import type { Submission } from '../../src/contracts/generated/types/submission.js';
import { BatonError } from '../../src/contracts/shared/errors.js';
import { LiveText } from '../../src/engine/session/live-text.js';
import type { EventPage, SessionCaller, SessionDesk, SetUp, WireEvent } from '../../src/engine/session/session-desk.js';

type Stored = { id: string; msg: WireEvent['msg'] } | null;
type Kept = { rows: Stored[]; cwd: string; watchers: Set<() => void>; keys: Set<string>; entries: string[] };
type Op<Type> = Extract<Submission['op'], { type: Type }>;

/** Sessions in memory that answer at once. Every second row is nothing for clients, as in a journal. */
export class FakeDesk implements SessionDesk {
  readonly text = new LiveText();
  readonly callers: SessionCaller[] = [];
  private readonly sessions = new Map<string, Kept>();

  async configure({ id, op }: Submission, caller: SessionCaller, current: string | null): Promise<SetUp> {
    const { cwd, resume_from } = op as Op<'configure_session'>;
    this.callers.push(caller);
    if (!cwd.startsWith('/')) throw new BatonError('PATH_REFUSED', `${cwd} is not absolute`, { path: '/op/cwd' });
    const session = resume_from ?? current ?? `session-${this.sessions.size + 1}`;
    if (!this.sessions.has(session)) {
      if (resume_from) this.kept(session);
      this.sessions.set(session, { rows: [], cwd, watchers: new Set(), keys: new Set(), entries: [] });
    }
    this.append(session, { id, msg: this.configured(session) });
    return { session, seq: this.kept(session).rows.length, replies: [] };
  }

  async submit(session: string, submission: Submission, caller: SessionCaller): Promise<readonly WireEvent[]> {
    const { id, op } = submission;
    const kept = this.kept(session);
    this.callers.push(caller);
    const key = `${caller.client}\n${id}`;
    if (kept.keys.has(key)) return [];
    kept.keys.add(key);
    switch (op.type) {
      case 'user_input':
        return this.input(session, id, op);
      case 'interrupt':
        throw new BatonError('NO_TASK', 'no task is running');
      case 'add_to_history':
        kept.entries.push(op.text);
        return [];
      case 'get_history_entry_request': {
        const entry = kept.entries[op.offset] ?? null;
        return [{ id, msg: { type: 'get_history_entry_response', log_id: session, offset: op.offset, entry } }];
      }
      case 'exec_approval':
        throw new BatonError('APPROVAL_NOT_FOUND', `nothing waits under ${op.id}`, { call_id: op.id });
      case 'shutdown':
        this.append(session, { id, msg: { type: 'shutdown_complete' } });
        return [];
      default:
        throw new BatonError('NOT_SUPPORTED', `${op.type} is not faked`);
    }
  }

  async describe(session: string): Promise<WireEvent['msg']> {
    this.kept(session);
    return this.configured(session);
  }

  async place(session: string): Promise<number> {
    return this.kept(session).rows.length;
  }

  async events(session: string, after: number, limit: number): Promise<EventPage> {
    const { rows } = this.kept(session);
    const part = rows.slice(after, after + limit);
    const events = part.flatMap((row, index) => (row ? [{ id: row.id, seq: after + index + 1, msg: row.msg }] : []));
    return { events, next: after + part.length, isRest: part.length < limit };
  }

  nextEvents(session: string, after: number, limit: number): Promise<EventPage> {
    return this.events(session, after, limit);
  }

  watch(session: string, call: () => void): () => void {
    const { watchers } = this.kept(session);
    watchers.add(call);
    return () => watchers.delete(call);
  }

  live(session: string, call: (event: WireEvent) => void): () => void {
    return this.text.listen(session, call);
  }

  get watchers(): number {
    return [...this.sessions.values()].reduce((sum, { watchers }) => sum + watchers.size, 0);
  }

  append(session: string, ...events: Stored[]): void {
    const { rows, watchers } = this.kept(session);
    for (const event of events) rows.push(null, event);
    for (const call of [...watchers]) call();
  }

  private input(session: string, id: string, { items }: Op<'user_input'>): [] {
    const [first] = items;
    const message = first.type === 'text' ? first.text : first.type;
    const item = `item-${id}`;
    this.append(session, { id, msg: { type: 'task_started' } });
    this.text.tell({ run: session, id, item, type: 'message', text: message });
    this.append(session, { id, msg: { type: 'agent_message', message, item_id: item } });
    this.text.close(session, item);
    const end = { type: 'task_complete', response_id: `resp-${id}`, last_agent_message: message };
    this.append(session, { id, msg: end });
    return [];
  }

  private configured(session: string): WireEvent['msg'] {
    const { cwd, entries } = this.kept(session);
    const log = { history_log_id: session, history_entry_count: entries.length };
    return { type: 'session_configured', session_id: session, model: 'fake', cwd, ...log };
  }

  private kept(session: string): Kept {
    const kept = this.sessions.get(session);
    if (!kept) throw new BatonError('SESSION_NOT_FOUND', `there is no session ${session}`, { session_id: session });
    return kept;
  }
}

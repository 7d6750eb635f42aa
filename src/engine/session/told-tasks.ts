import type {
  SessionCall,
  SessionCallState,
  SessionCounts,
  SessionEntry,
  SessionPlanEntry,
  SessionTask,
} from '../../contracts/api/session-shapes.js';
import { askedWords } from '../../core/session/asked-words.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import { endIn, newCall, planIn, printedIn, shortShownIn, type ToldRow, textIn } from './session-entries.js';

type Turn = { turn: number; response_id: string | null; entries: SessionEntry[] };
type Task = Omit<SessionTask, 'turns'> & { turns: Turn[] };
type Of<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

/** So much is told of a session, in characters: the newest of it, and always the last entry. */
export const CHARS_MAX = 8 * 1024 * 1024;

/** The tasks of a session in their order, told row by row. */
export class ToldTasks {
  readonly tasks: Task[] = [];
  plan: SessionPlanEntry | null = null;
  readonly counts: SessionCounts = { ran_by_itself: 0, approved: 0, denied: 0 };
  /** The seq up to which entries were let go for those that came later. */
  letGoUpTo = 0;
  /** How long each entry is, the oldest first. */
  private readonly sizes = new Map<SessionEntry, number>();
  private chars = 0;
  private readonly calls = new Map<string, SessionCall>();
  private readonly tools = new Map<string, string>();

  /** `input` is what somebody said, of a row that starts a task. */
  tell(told: ToldRow, input: string | null): void {
    const { event, row, msg } = told;
    const base = { seq: row.seq, at: row.at };
    switch (event.type) {
      case 'TaskStarted':
        this.begin(told, event, input);
        break;
      case 'MessageSaid':
        this.add({ ...base, type: 'message', item_id: event.itemId, text: textIn(msg, 'message') ?? '' });
        break;
      case 'ReasoningSaid':
        this.add({ ...base, type: 'reasoning', item_id: event.itemId, text: textIn(msg, 'text') ?? '' });
        break;
      case 'ResponseReceived':
        for (const { id, tool } of event.calls) this.tools.set(id, tool);
        break;
      case 'PlanUpdated':
        this.plan = planIn(told);
        this.add(this.plan);
        break;
      case 'TurnEnded':
        this.endTurn(event.responseId, event.turn);
        break;
      case 'TaskEnded':
        this.end(row.at, null, null);
        break;
      case 'TaskFailed':
        this.add({ ...base, type: 'notice', tone: 'error', code: event.code, text: event.message });
        this.end(row.at, event.code, event.message);
        break;
      case 'LimitNeared':
        this.add({ ...base, type: 'notice', tone: 'warning', code: 'LIMIT_NEAR', text: event.words });
        break;
      case 'RetryPlanned':
        this.notice(told, `The model is asked again: ${event.reason}`);
        break;
      case 'TurnRestarted':
        this.notice(told, 'The turn is asked again; what was streamed of it is void.');
        break;
      case 'CompactionBegun':
        this.notice(told, 'The thread is being summarised to save room.');
        break;
      case 'Compacted':
        this.notice(told, 'The thread was summarised.');
        break;
      default:
        this.tellCall(told);
        break;
    }
  }

  private tellCall(told: ToldRow): void {
    const { event, msg } = told;
    switch (event.type) {
      case 'ApprovalAsked':
        this.asked(told, event);
        break;
      case 'ApprovalResolved':
        this.resolved(event);
        break;
      case 'CallBegun':
        this.begun(told, event);
        break;
      case 'CallEnded': {
        const state = event.end.success && failedCode(msg?.exit_code) === false ? 'done' : 'failed';
        this.change(event.call, { state, ...endIn(msg, event.end.activeMs) });
        break;
      }
      case 'CallLost':
        this.change(event.call, { state: event.why, ...(event.printed && printedIn(msg)) });
        break;
      case 'CallRenamed':
        // What it was called before is over: a new question stands under the new name.
        if (this.calls.get(event.call)?.state === 'running') this.change(event.call, { state: 'unknown' });
        this.tools.set(event.to, this.tools.get(event.call) ?? '');
        break;
      case 'CallAnswered':
        this.answered(told, event);
        break;
    }
  }

  private asked(told: ToldRow, { call, kind, where, reason }: Of<'ApprovalAsked'>): void {
    const known = { kind, where, ...askedWords(reason), state: 'waiting', tool: this.tools.get(call) ?? '' } as const;
    this.addCall(newCall(told, call, known));
  }

  private resolved({ call, decision, by }: Of<'ApprovalResolved'>): void {
    const isAllowed = decision === 'approved' || decision === 'approved_for_session';
    if (isAllowed) this.counts.approved += 1;
    else if (decision !== 'withdrawn') this.counts.denied += 1;
    const state: SessionCallState = isAllowed ? 'allowed' : decision === 'withdrawn' ? 'withdrawn' : 'denied';
    this.change(call, { state, decided_by: by });
  }

  private begun(told: ToldRow, { call, kind, where, auto }: Of<'CallBegun'>): void {
    if (auto) this.counts.ran_by_itself += 1;
    const known = { kind, where, auto, state: 'running' } as const;
    const entry = this.calls.get(call);
    if (!entry) {
      this.addCall(newCall(told, call, { ...known, tool: this.tools.get(call) ?? '' }));
      return;
    }
    const { cut, ...shown } = shortShownIn(told.msg);
    const news = Object.entries(shown).filter(([, value]) => value !== null);
    this.change(call, { ...known, ...(news.length > 0 && { ...Object.fromEntries(news), cut }) });
  }

  private answered(told: ToldRow, { call, output }: Of<'CallAnswered'>): void {
    const words = 'words' in output ? output.words : null;
    if (this.calls.has(call)) return;
    const tool = this.tools.get(call) ?? '';
    if (tool === 'update_plan') return;
    this.addCall(newCall(told, call, { tool, state: words === null ? 'answered' : 'refused', reason: words }));
  }

  private begin({ row, event }: ToldRow, { title, compacts, from }: Of<'TaskStarted'>, input: string | null): void {
    const task = { id: event.id, title, started_at: row.at, compacts, from, end: null };
    this.tasks.push({ ...task, turns: [{ turn: 0, response_id: null, entries: [] }] });
    if (input !== null) this.add({ type: 'input', seq: row.seq, at: row.at, by: row.actor, text: input || title });
  }

  private endTurn(responseId: string, number: number): void {
    const turns = this.tasks.at(-1)?.turns;
    const last = turns?.at(-1);
    if (!turns || !last) return;
    Object.assign(last, { response_id: responseId, turn: number });
    turns.push({ turn: number + 1, response_id: null, entries: [] });
  }

  private end(at: string, code: string | null, message: string | null): void {
    const task = this.tasks.at(-1);
    if (!task) return;
    task.end = { at, code, message };
    if (task.turns.length > 1 && task.turns.at(-1)?.entries.length === 0) task.turns.pop();
  }

  private notice({ row, msg }: ToldRow, otherwise: string): void {
    const text = textIn(msg, 'message') ?? otherwise;
    this.add({ type: 'notice', seq: row.seq, at: row.at, tone: 'told', code: null, text });
  }

  private add(entry: SessionEntry): void {
    if (this.tasks.length === 0) return;
    this.tasks.at(-1)?.turns.at(-1)?.entries.push(entry);
    this.grow(entry, entry);
  }

  private addCall(entry: SessionCall): void {
    if (this.tasks.length === 0) return;
    this.calls.set(entry.call_id, entry);
    this.add(entry);
  }

  private change(call: string, change: Partial<SessionCall>): void {
    const entry = this.calls.get(call);
    if (!entry) return;
    Object.assign(entry, change);
    this.grow(entry, change);
  }

  private grow(entry: SessionEntry, part: object): void {
    const chars = JSON.stringify(part).length;
    this.sizes.set(entry, (this.sizes.get(entry) ?? 0) + chars);
    this.chars += chars;
    for (const oldest of this.sizes.keys()) {
      if (this.chars <= CHARS_MAX || this.sizes.size === 1) break;
      this.letGo(oldest);
    }
  }

  /** `oldest` is the first entry of the first turn that has any. */
  private letGo(oldest: SessionEntry): void {
    this.chars -= this.sizes.get(oldest) ?? 0;
    this.sizes.delete(oldest);
    if (oldest.type === 'call') this.calls.delete(oldest.call_id);
    this.letGoUpTo = oldest.seq;
    const isEmpty = (): boolean => this.tasks[0]?.turns[0]?.entries.length === 0;
    while (isEmpty()) this.dropTurn();
    this.tasks[0]?.turns[0]?.entries.shift();
    while (isEmpty()) this.dropTurn();
  }

  private dropTurn(): void {
    this.tasks[0]?.turns.shift();
    if (this.tasks[0]?.turns.length === 0) this.tasks.shift();
  }
}

/** A command that ran to an end of its own may still have failed. */
function failedCode(code: unknown): boolean {
  return typeof code === 'number' && code !== 0;
}

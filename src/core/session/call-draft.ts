import type { CallJudgement, CallNote, JudgedCall, SessionEvent, Told } from './session-messages.js';
import { type CallDeed, callName, type LiveSession, type SessionTask } from './session-state.js';
import { nextToBegin, type StandingCall, standingCalls } from './standing-calls.js';

type NewEvent = SessionEvent extends infer One ? (One extends { id: string } ? Omit<One, 'id'> : never) : never;

/**
 * What follows for the calls of a turn, event by event: one that ends may let another begin, and the last one ends the
 * turn. Nothing of the state is changed.
 */
export class CallDraft {
  readonly events: SessionEvent[] = [];
  private calls: Map<string, StandingCall>;
  private readonly task: SessionTask;
  private readonly atMs: number;
  private names: number;

  constructor(session: LiveSession, task: SessionTask, atMs: number) {
    this.task = task;
    this.atMs = atMs;
    this.names = session.calls;
    this.calls = standingCalls(task);
  }

  say(event: NewEvent): void {
    this.events.push({ id: this.task.id, ...event } as SessionEvent);
  }

  answer(call: string, output: Told, { problem, note }: { problem?: string; note?: CallNote } = {}): void {
    const more = { ...(problem !== undefined && { problem }), ...(note && { note }) };
    this.say({ type: 'CallAnswered', call, output, ...more });
    this.move(call, 'ended');
  }

  judged(judgement: JudgedCall): void {
    if (judgement.type !== 'deed') return;
    const { kind, plan, shown, hash, title, where, outside } = judgement;
    const found = this.calls.get(judgement.call);
    if (found) found.deed = { kind, plan, shown, hash, title, where, outside, auto: true };
  }

  ask(call: string, reason: string | null, again: 'unknown' | 'denied' | null): void {
    const { deed } = this.of(call);
    if (!deed) return;
    const { kind, hash, shown, title, where } = deed;
    this.say({ type: 'ApprovalAsked', call, kind, hash, shown, title, reason, where, again });
    this.move(call, 'waiting');
  }

  /** Under a new name, in its old place: whoever answers the old one answers nothing. */
  askAgain(call: string, reason: string, again: 'unknown' | 'denied'): void {
    const found = this.of(call);
    const { deed } = found;
    if (!deed) return;
    this.names += 1;
    const to = callName(this.names);
    this.say({ type: 'CallRenamed', call, to });
    const left = again === 'denied' && deed.outside !== null;
    const changed: CallDeed = left ? { ...deed, where: 'outside', hash: deed.outside as string } : deed;
    this.calls = new Map(
      [...this.calls].map(([id, one]) => (id === call ? [to, { ...found, deed: changed }] : [id, one])),
    );
    this.ask(to, reason, again);
  }

  ready(call: string, auto: boolean): void {
    const found = this.of(call);
    found.stage = 'ready';
    if (found.deed) found.deed = { ...found.deed, auto };
  }

  ended(call: string): void {
    this.move(call, 'ended');
  }

  /** Begins what may begin now. */
  begin(): void {
    for (let id = nextToBegin(this.calls); id !== undefined; id = nextToBegin(this.calls)) {
      const { deed } = this.of(id);
      if (!deed) return;
      const { kind, shown, where, auto } = deed;
      this.say({ type: 'CallBegun', at: this.atMs, call: id, kind, shown, where, auto });
      this.move(id, 'running');
    }
  }

  get isOver(): boolean {
    return [...this.calls.values()].every(({ stage }) => stage === 'ended');
  }

  private of(call: string): StandingCall {
    const found = this.calls.get(call);
    if (!found) throw new Error(`there is no call ${call}`);
    return found;
  }

  private move(call: string, stage: StandingCall['stage']): void {
    this.of(call).stage = stage;
  }
}

export type DeedJudgement = Extract<CallJudgement, { type: 'deed' }>;

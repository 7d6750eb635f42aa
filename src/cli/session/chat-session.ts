import { BatonError, isBatonError } from '../../contracts/shared/errors.js';
import type { RunRow } from '../../engine/ports.js';
import type { WireEvent } from '../../engine/session/session-desk.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import type { Decided } from './approval-lines.js';
import { refusalIn, SessionLink } from './session-link.js';
import { configureOp, settingsOf } from './session-options.js';
import { type OpenApproval, SessionTrack } from './session-track.js';

export type ChatPorts = {
  onEvent(event: WireEvent): void;
  /** What was before, when a session is gone on with. */
  onReplayed(events: readonly WireEvent[]): void;
  /** What was said in it, the newest first. */
  onHistory(entries: readonly string[]): void;
  onRefused(problem: BatonError): void;
  onSettled(): void;
  /** Something about the way to the session. */
  onWords(words: string): void;
};

/** Rows of the journal that are looked at for what was last said. */
const REPLAYED_ROWS = 120;
const HISTORY_ASKED = 50;
const MICRO_USD = 1_000_000;

/** The session that a chat is in. It is a client like any other. */
export class ChatSession {
  readonly track = new SessionTrack();
  private readonly place: SessionPlace;
  private readonly parsed: Parsed;
  private readonly io: Io;
  private readonly ports: ChatPorts;
  private readonly link: SessionLink;
  /** Sent, and not answered by its task yet. */
  private sent: string | null = null;
  private readonly entries = new Map<number, string>();
  private entriesAsked = 0;
  private replaying: { untilSeq: number; events: WireEvent[] } | null = null;
  private isClosed = false;
  /** Whether there is a way to the session now. */
  isReached = true;

  constructor(place: SessionPlace, parsed: Parsed, io: Io, ports: ChatPorts) {
    this.place = place;
    this.parsed = parsed;
    this.io = io;
    this.ports = ports;
    this.link = new SessionLink(
      place.connect((words, isReached) => {
        this.isReached = isReached;
        ports.onWords(words);
      }),
      'chat',
    );
    this.follow().catch((failure) => this.lost(failure));
  }

  get isBusy(): boolean {
    return this.track.task !== null || this.sent !== null;
  }

  /** `isSetUp`: what was said on the command line is for this session, too. */
  async begin(row: RunRow | null, isSetUp: boolean): Promise<void> {
    if (row === null) {
      this.link.send(configureOp(this.place, this.parsed, this.io));
      return;
    }
    const { run, version } = row;
    const after = Math.max(0, version - REPLAYED_ROWS);
    const last = await this.lastTold(run, after);
    if (last !== undefined) this.replaying = { untilSeq: last, events: [] };
    this.link.send({ type: 'attach', session_id: run, after });
    if (!isSetUp) return;
    const before = await settingsOf(this.place, run);
    this.link.send(configureOp(this.place, this.parsed, this.io, before));
  }

  private async lastTold(run: string, from: number): Promise<number | undefined> {
    let last: number | undefined;
    for (let after = from; ; ) {
      const { events, next, isRest } = await this.place.eventsOf(run, after, REPLAYED_ROWS);
      last = events.at(-1)?.seq ?? last;
      if (isRest || next === after) return last;
      after = next;
    }
  }

  say(text: string): void {
    this.sent = this.link.send({ type: 'user_input', items: [{ type: 'text', text }] });
  }

  compact(): void {
    this.sent = this.link.send({ type: 'compact' });
  }

  interrupt(): void {
    if (this.isBusy) this.link.send({ type: 'interrupt' });
  }

  /** The question stays open until it is said to be answered. */
  decide({ kind, callId }: OpenApproval, decided: Decided): void {
    this.link.send({ type: `${kind}_approval`, id: callId, ...decided });
  }

  close(): void {
    this.isClosed = true;
    this.link.close();
  }

  private async follow(): Promise<void> {
    for await (const event of this.link.events) {
      if (this.isClosed) return;
      if (endsTask(event) || event.msg.type === 'session_configured') await this.learnCost(event);
      this.take(event);
    }
  }

  /** What was spent stands in the same transaction as the end of the task. */
  private async learnCost({ msg }: WireEvent): Promise<void> {
    const session = this.track.session ?? msg.session_id;
    const row = typeof session === 'string' ? await this.place.store.run(session).catch(() => undefined) : undefined;
    if (row) this.track.costUsd = row.costMicroUsd / MICRO_USD;
  }

  private lost(failure: unknown): void {
    if (this.isClosed) return;
    this.sent = null;
    this.ports.onRefused(isBatonError(failure) ? failure : new BatonError('INTERNAL', String(failure)));
  }

  private take(event: WireEvent): void {
    const { id, seq, msg } = event;
    if (msg.type === 'get_history_entry_response') {
      this.remember(msg);
      return;
    }
    // Without an id it is about a message that could not even be read.
    const isAboutSent = id === this.sent || (id === '' && seq === undefined);
    if (isAboutSent && (msg.type === 'task_started' || msg.type === 'error')) this.sent = null;
    this.track.take(event);
    if (msg.type === 'error' && seq === undefined) {
      this.ports.onRefused(refusalIn(msg));
      this.ports.onSettled();
      return;
    }
    if (msg.type === 'session_configured' && seq === undefined) this.askHistory(msg);
    if (this.replaying && seq !== undefined) this.replay(event, this.replaying);
    else this.ports.onEvent(this.link.isOwn(id) ? withoutWords(event) : event);
  }

  private replay(event: WireEvent, { untilSeq, events }: { untilSeq: number; events: WireEvent[] }): void {
    if (event.msg.type !== 'session_configured') events.push(event);
    if ((event.seq ?? 0) < untilSeq) return;
    this.replaying = null;
    this.ports.onReplayed(events);
    this.ports.onSettled();
  }

  private askHistory({ history_entry_count: count }: WireEvent['msg']): void {
    const first = Math.max(0, Number(count) - HISTORY_ASKED);
    for (let offset = first; offset < Number(count); offset += 1) {
      this.entriesAsked += 1;
      this.link.send({ type: 'get_history_entry_request', offset });
    }
  }

  private remember({ offset, entry }: WireEvent['msg']): void {
    const { text } = (entry ?? {}) as { text?: unknown };
    this.entries.set(Number(offset), typeof text === 'string' ? text : '');
    if (this.entries.size < this.entriesAsked) return;
    const newest = [...this.entries].sort(([one], [other]) => other - one);
    this.ports.onHistory(newest.map(([, said]) => said).filter((said) => said !== ''));
  }
}

function endsTask({ seq, msg }: WireEvent): boolean {
  return msg.type === 'task_complete' || (msg.type === 'error' && seq !== undefined);
}

/** What was typed here stands here already. */
function withoutWords(event: WireEvent): WireEvent {
  const { text: _, ...msg } = event.msg;
  return event.msg.type === 'task_started' ? { ...event, msg } : event;
}

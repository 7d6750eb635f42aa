import { setTimeout as sleep } from 'node:timers/promises';
import type { Submission } from '../contracts/generated/types/submission.js';
import { BatonError, type Details, type ErrorCode, isErrorCode } from '../contracts/shared/errors.js';
import { readSubmission } from '../engine/session/read-submission.js';
import type { SessionClient } from '../engine/session/session-client.js';
import type { WireEvent } from '../engine/session/session-desk.js';
import { EventQueue } from './event-queue.js';

export type LastingPorts = {
  open(): Promise<SessionClient>;
  /** Unlike that of any other client: messages under it with the same id are one message, on whatever connection. */
  client: string;
  onState(state: 'lost' | 'back'): void;
};

/** What was sent before these has arrived, or the server could not have taken the rest. */
const UNANSWERED_MAX = 1_000;
const WAIT_MS_MIN = 200;
const WAIT_MS_MAX = 5_000;

/** A client whose connection may be lost: it attaches again behind the last event, and sends again what was not answered. */
export async function connectLasting(ports: LastingPorts): Promise<SessionClient> {
  return new LastingClient(ports, await ports.open());
}

/**
 * L1 A submission is kept until an event has its id, or that of one sent after it: a connection's messages are handled in
 *    their order.
 * L2 What follows the making of a session waits until that is answered. Nobody can tell whether a session was made that
 *    nobody has told of, so it is made again; what is done in it must not be.
 * L3 An event that lasts is passed on once, in its order: whatever comes again is left out by its seq.
 */
class LastingClient implements SessionClient {
  private readonly ports: LastingPorts;
  private readonly queue = new EventQueue();
  private readonly stop = new AbortController();
  private current: SessionClient | null;
  private unanswered: { id: string; submission: object }[] = [];
  /** The configure_session that makes a session, until it is answered (L2). */
  private opening: string | null = null;
  private readonly held: { submission: Submission; sent(): void }[] = [];
  private readonly sentAgain = new Set<string>();
  /** Where events of an attach begin, by its id. */
  private readonly begins = new Map<string, number>();
  private client: string;
  private session: string | null = null;
  private seq = 0;
  private attaches = 0;
  private isOver = false;
  private refusal: BatonError | null = null;

  constructor(ports: LastingPorts, first: SessionClient) {
    this.ports = ports;
    this.client = ports.client;
    this.current = first;
    void this.follow(first);
  }

  get events(): AsyncIterable<WireEvent> {
    return this.told();
  }

  async submit(submission: unknown): Promise<void> {
    if (this.opening === null) return this.send(submission as Submission);
    await new Promise<void>((sent) => this.held.push({ submission: submission as Submission, sent }));
  }

  async sendLine(line: string | Uint8Array): Promise<void> {
    const read = readSubmission(line);
    if ('submission' in read) await this.submit(read.submission);
    // The server says what is wrong with it.
    else await this.current?.sendLine(line);
  }

  end(): void {
    this.isOver = true;
    if (this.held.length === 0) this.current?.end();
  }

  close(): void {
    this.isOver = true;
    this.stop.abort();
    this.current?.close();
    this.queue.end();
  }

  private async send(submission: Submission): Promise<void> {
    const named = this.named(submission);
    if (named.op.type === 'configure_session' && this.session === null) this.opening = named.id;
    this.unanswered.push({ id: named.id, submission: named });
    if (this.unanswered.length > UNANSWERED_MAX) this.unanswered.shift();
    await this.current?.submit(named);
  }

  private opened(): void {
    this.opening = null;
    while (this.opening === null) {
      const next = this.held.shift();
      if (!next) break;
      this.send(next.submission).then(next.sent, next.sent); // a connection that is lost is seen by whoever follows it
    }
    if (this.isOver && this.held.length === 0) this.current?.end();
  }

  private async *told(): AsyncGenerator<WireEvent> {
    yield* this.queue;
    if (this.refusal) throw this.refusal;
  }

  private async follow(first: SessionClient): Promise<void> {
    for (let client: SessionClient | null = first; client; client = await this.again()) {
      for await (const event of client.events) {
        if (!this.take(event)) continue;
        const room = this.queue.add(event);
        if (room) await room;
      }
      this.current = null;
    }
    this.queue.end();
  }

  /** Null when there is nothing to go on with. */
  private async again(): Promise<SessionClient | null> {
    if (this.isOver || this.refusal) return null;
    this.ports.onState('lost');
    for (let waitMs = WAIT_MS_MIN; !this.isOver; waitMs = Math.min(2 * waitMs, WAIT_MS_MAX)) {
      try {
        await sleep(waitMs * (0.75 + Math.random() / 2), undefined, { signal: this.stop.signal });
        const client = await this.ports.open();
        this.resume(client);
        return client;
      } catch {
        // It is tried until it works, or until nobody waits for it any more.
      }
    }
    return null;
  }

  private resume(client: SessionClient): void {
    this.current = client;
    if (this.isOver) {
      client.close();
      return;
    }
    if (this.session === null) this.ports.onState('back');
    else {
      this.attaches += 1;
      const op = { type: 'attach', session_id: this.session, after: this.seq, client: this.client };
      void client.submit({ id: this.attachId, op });
    }
    for (const { id, submission } of this.unanswered) {
      this.sentAgain.add(id);
      void client.submit(submission);
    }
  }

  private get attachId(): string {
    return `${this.ports.client}-attach-${this.attaches}`;
  }

  /** Whether it is passed on. */
  private take({ id, seq, msg }: WireEvent): boolean {
    const isTurnedAway = msg.code === 'UNAUTHENTICATED' && id === '';
    if (msg.type === 'error' && seq === undefined && (isTurnedAway || this.isOwn(id))) {
      this.refusal = new BatonError(codeIn(msg), String(msg.message), msg.details as Details | undefined);
      this.current?.end();
      return false;
    }
    if (this.isOwn(id)) {
      this.ports.onState('back');
      return false;
    }
    if (msg.type === 'session_configured') this.entered(id, seq, String(msg.session_id));
    if (seq !== undefined && seq <= this.seq) return false;
    this.seq = seq ?? this.seq;
    const isRepeat = seq === undefined && msg.type === 'warning' && msg.code === 'REPEATED' && this.sentAgain.has(id);
    // It may come behind the event that has answered it.
    if (isRepeat) this.sentAgain.delete(id);
    this.answered(id);
    if (id === this.opening) this.opened();
    if (msg.type === 'shutdown_complete') this.isOver = true;
    return !isRepeat;
  }

  private isOwn(id: string): boolean {
    return this.attaches > 0 && id === this.attachId;
  }

  private entered(id: string, seq: number | undefined, session: string): void {
    const begins = this.begins.get(id);
    if (session === this.session && begins === undefined) return;
    this.session = session;
    this.seq = begins ?? (seq ?? 1) - 1;
    this.begins.delete(id);
  }

  private answered(id: string): void {
    const place = this.unanswered.findIndex((one) => one.id === id);
    this.unanswered.splice(0, place + 1);
  }

  private named(submission: Submission): Submission {
    const { id, op } = submission;
    if (op.type !== 'attach' && op.type !== 'configure_session') return submission;
    if (op.type === 'attach') this.begins.set(id, op.after ?? 0);
    this.client = typeof op.client === 'string' ? op.client : this.ports.client;
    return op.client === undefined ? { id, op: { ...op, client: this.client } } : submission;
  }
}

function codeIn({ code }: WireEvent['msg']): ErrorCode {
  return typeof code === 'string' && isErrorCode(code) ? code : 'INTERNAL';
}

import type { RunId } from '../ports.js';
import { LiveFeed } from './live-feed.js';
import type { SessionDesk, WireEvent } from './session-desk.js';

export type PumpPorts = {
  desk: Pick<SessionDesk, 'nextEvents' | 'watch' | 'live'>;
  session: RunId;
  /** What has a higher seq is sent. */
  after: number;
  /** The session had ended by then and can be gone on with: that end is only told. */
  endedBefore: number;
  send(event: WireEvent): Promise<void> | undefined;
  /** The session has ended, and its end was sent. */
  onOver(): void;
  onFailure(failure: unknown): void;
};

/** Stored events that are held for one client at once. */
const EVENTS_AT_ONCE = 100;

/**
 * Sends one client what happens in a session: stored events in their order, none twice and none left out, read when
 * there is room for them; streamed pieces in between.
 */
export class EventPump {
  private readonly ports: PumpPorts;
  private cursor: number;
  private readonly feed = new LiveFeed();
  private readonly releases: (() => void)[] = [];
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  /** Events up to there are known to be stored; how many there are is not known at first. */
  private upTo = Number.POSITIVE_INFINITY;
  private listens = false;
  private isOver = false;
  private isStopped = false;

  constructor(ports: PumpPorts) {
    this.ports = ports;
    this.cursor = ports.after;
  }

  get session(): RunId {
    return this.ports.session;
  }

  start(): void {
    const { desk, session } = this.ports;
    this.releases.push(
      desk.watch(session, (seq = Number.POSITIVE_INFINITY) => {
        this.upTo = Math.max(this.upTo, seq);
        this.wake();
      }),
    );
    this.wake();
  }

  stop(): void {
    this.isStopped = true;
    for (const release of this.releases.splice(0)) release();
  }

  /** Resolves when everything that is stored by now was sent. */
  async caughtUp(): Promise<void> {
    this.upTo = Number.POSITIVE_INFINITY;
    this.wake();
    await this.running;
  }

  private wake(): void {
    if (this.isRunning || this.isStopped) return;
    this.isRunning = true;
    this.running = this.run();
  }

  private async run(): Promise<void> {
    try {
      await this.sendAll();
    } catch (failure) {
      if (!this.isStopped) this.ports.onFailure(failure);
    }
  }

  private async sendAll(): Promise<void> {
    try {
      for (;;) {
        while (this.cursor < this.upTo && !this.isStopped) await this.sendStored();
        if (this.isStopped) return;
        if (this.isOver) return this.over();
        this.listen();
        const piece = this.feed.take();
        if (!piece) return;
        const room = this.ports.send(piece);
        if (room) await room;
      }
    } finally {
      // At once and not a promise later: whoever wakes it from here on finds it at rest.
      this.isRunning = false;
    }
  }

  private async sendStored(): Promise<void> {
    const { desk, session } = this.ports;
    const { upTo } = this;
    // What is heard of while this is read is read next.
    this.upTo = this.cursor;
    const { events, next, isRest } = await desk.nextEvents(session, this.cursor, EVENTS_AT_ONCE);
    for (const event of events) {
      if (this.isStopped) return;
      await this.sendOne(event);
    }
    this.cursor = next;
    if (!isRest) this.upTo = Math.max(this.upTo, upTo);
  }

  private async sendOne(event: WireEvent): Promise<void> {
    this.feed.passed(event);
    // A session that was taken up again after its end goes on.
    this.isOver = event.msg.type === 'shutdown_complete' && (event.seq ?? 0) > this.ports.endedBefore;
    const room = this.ports.send(event);
    if (room) await room;
  }

  private over(): void {
    this.stop();
    this.ports.onOver();
  }

  /** Only whoever has everything that is stored is told what is open. */
  private listen(): void {
    if (this.listens) return;
    this.listens = true;
    const { desk, session } = this.ports;
    let joins = true;
    this.releases.push(
      desk.live(session, (event) => {
        this.feed.add(event, { joins });
        if (!joins) this.wake();
      }),
    );
    joins = false;
  }
}

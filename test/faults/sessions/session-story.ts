import { isDeepStrictEqual } from 'node:util';
import type { SessionClient } from '../../../src/engine/session/session-client.js';
import type { WireEvent } from '../../../src/engine/session/session-desk.js';

export type Told = WireEvent & { seq: number };
type Msg = WireEvent['msg'];

/** The fields that are looked at here. */
type Shapes = {
  session_configured: { session_id: string };
  exec_approval_request: { call_id: string; command: readonly string[]; again?: boolean };
  approval_resolved: { call_id: string; decision: string };
  exec_command_begin: { call_id: string; command: readonly string[] };
  exec_command_end: { call_id: string; unknown?: boolean };
};

/** What a client was told of one session, over all its connections. */
export class SessionStory {
  readonly problems: string[] = [];
  private readonly bySeq = new Map<number, Told>();

  get cursor(): number {
    return Math.max(0, ...this.bySeq.keys());
  }

  /** In their order. */
  get events(): readonly Told[] {
    return [...this.bySeq.values()].sort((one, other) => one.seq - other.seq);
  }

  /** What comes a second time is what it was. */
  take(event: Told): void {
    const before = this.bySeq.get(event.seq);
    if (before && !isDeepStrictEqual(before, event))
      this.problems.push(`event ${event.seq} was ${JSON.stringify(before)} and is ${JSON.stringify(event)}`);
    this.bySeq.set(event.seq, event);
  }

  of<Type extends keyof Shapes>(type: Type): readonly Shapes[Type][] {
    return this.events.flatMap(({ msg }) => (msg.type === type ? [msg as unknown as Shapes[Type]] : []));
  }

  /** How a task came to its end; more than one is one too many. */
  endsOf(task: string): readonly Told[] {
    return this.events.filter(({ id, msg }) => id === task && (msg.type === 'task_complete' || msg.type === 'error'));
  }
}

/** One connection: reads whatever comes until it breaks off. */
export class AttachedClient {
  isOver = false;
  /** For this client alone: answers and refusals. */
  readonly replies: WireEvent[] = [];
  readonly heard: number[] = [];
  private readonly client: SessionClient;

  constructor(client: SessionClient, story: SessionStory, after: number) {
    this.client = client;
    void this.read(story, after);
  }

  /** It may be gone meanwhile: whoever wants to know waits for the answer. */
  async submit(submission: object): Promise<void> {
    await this.client.submit(submission).catch(() => {});
  }

  replyTo(id: string): Msg | undefined {
    return this.replies.find((reply) => reply.id === id)?.msg;
  }

  close(): void {
    this.client.close();
  }

  private async read(story: SessionStory, after: number): Promise<void> {
    let last = after;
    try {
      for await (const event of this.client.events) {
        const { seq } = event;
        if (seq === undefined) {
          this.replies.push(event);
          continue;
        }
        if (seq <= last) story.problems.push(`event ${seq} came behind ${last}`);
        last = seq;
        this.heard.push(seq);
        story.take({ ...event, seq });
      }
    } catch {
      // It broke off, as its end tells.
    }
    this.isOver = true;
  }
}

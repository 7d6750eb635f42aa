import { randomUUID } from 'node:crypto';
import type { Submission } from '../../contracts/generated/types/submission.js';
import { BatonError, ERRORS, type ErrorCode } from '../../contracts/shared/errors.js';
import type { SessionClient } from '../../engine/session/session-client.js';
import type { WireEvent } from '../../engine/session/session-desk.js';

type Op = Submission['op'];

const LET_GO_MS = 1_000;
const RANDOM_CHARS = 8;

/**
 * A terminal's side of a session: a client like any other, which numbers what it sends. Others are in the same session:
 * the ids of each are its own, so that nobody takes the end of another's task for that of its own.
 */
export class SessionLink {
  private readonly connecting: Promise<SessionClient>;
  private readonly name: string;
  private sent = 0;

  constructor(connecting: Promise<SessionClient>, name: string) {
    this.connecting = connecting;
    this.name = `${name}-${randomUUID().slice(0, RANDOM_CHARS)}`;
  }

  /** The id under which it is answered. Answers come as events, so that nobody waits here. */
  send(op: Op): string {
    this.sent += 1;
    const id = `${this.name}-${this.sent}`;
    this.withClient((client) => void client.submit({ id, op }));
    return id;
  }

  /** Whether it was sent from here. */
  isOwn(id: string): boolean {
    return id.startsWith(`${this.name}-`);
  }

  /** Throws when there is no way there. */
  get events(): AsyncIterable<WireEvent> {
    return this.told();
  }

  /** What was sent before arrives. */
  close(): void {
    this.withClient((client) => {
      client.end();
      setTimeout(() => client.close(), LET_GO_MS).unref();
    });
  }

  private async *told(): AsyncGenerator<WireEvent> {
    yield* (await this.connecting).events;
  }

  private withClient(work: (client: SessionClient) => void): void {
    this.connecting.then(work, () => {}); // whoever reads the events is told
  }
}

/** A refusal that came as an event, as what it is. */
export function refusalIn({ message, code, details, hint }: WireEvent['msg']): BatonError {
  const known = Object.hasOwn(ERRORS, String(code)) ? (code as ErrorCode) : 'INTERNAL';
  const own = typeof hint === 'string' ? hint : undefined;
  return new BatonError(known, String(message), details as Record<string, unknown> | undefined, own);
}

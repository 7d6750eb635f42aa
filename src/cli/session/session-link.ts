import type { Submission } from '../../contracts/generated/types/submission.js';
import { BatonError, ERRORS, type ErrorCode } from '../../contracts/shared/errors.js';
import type { WireEvent } from '../../engine/session/session-desk.js';
import { connectInProcess } from '../../transports/in-process.js';
import type { SessionClient } from '../../transports/session-client.js';
import type { HostOptions } from '../../transports/session-host.js';

type Op = Submission['op'];

/** A terminal's side of a session: a client like any other, which numbers what it sends. */
export class SessionLink {
  private readonly client: SessionClient;
  private readonly name: string;
  private sent = 0;

  constructor(options: HostOptions, name: string) {
    this.client = connectInProcess(options);
    this.name = name;
  }

  /** The id under which it is answered. Answers come as events, so that nobody waits here. */
  send(op: Op): string {
    this.sent += 1;
    const id = `${this.name}-${this.sent}`;
    void this.client.submit({ id, op });
    return id;
  }

  get events(): AsyncIterable<WireEvent> {
    return this.client.events;
  }

  close(): void {
    this.client.close();
  }
}

/** A refusal that came as an event, as what it is. */
export function refusalIn({ message, code, details }: WireEvent['msg']): BatonError {
  const known = Object.hasOwn(ERRORS, String(code)) ? (code as ErrorCode) : 'INTERNAL';
  return new BatonError(known, String(message), details as Record<string, unknown> | undefined);
}

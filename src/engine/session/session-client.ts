import type { WireEvent } from './session-desk.js';

/** The client's side of a session, over whatever. */
export interface SessionClient {
  /** Resolves when it is on its way and there is room for more. */
  submit(submission: unknown): Promise<void>;
  /** As it is, for whoever wants to send what is no submission. */
  sendLine(line: string | Uint8Array): Promise<void>;
  /** Ends with the connection. Whoever does not read is sent no more after a while. */
  readonly events: AsyncIterable<WireEvent>;
  /** Says that nothing more is sent; what is owed still comes. */
  end(): void;
  /** Breaks off. */
  close(): void;
}

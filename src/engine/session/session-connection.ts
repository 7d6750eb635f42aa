import type { Submission } from '../../contracts/generated/types/submission.js';
import { BatonError, isBatonError } from '../../contracts/shared/errors.js';
import { LEAST_ROLE, may, type Verb } from '../../core/access/role.js';
import type { RunId } from '../ports.js';
import { EventPump } from './event-pump.js';
import { type Incoming, readSubmission } from './read-submission.js';
import type { SessionCaller, SessionDesk, WireEvent } from './session-desk.js';

export type ConnectionPorts = {
  desk: SessionDesk;
  /** Whose token this is, if it counts now. */
  authenticate(token: string): Promise<SessionCaller | null>;
  /** Who is there as far as the transport knows; null: the first message must tell. */
  caller: SessionCaller | null;
  /** Unlike that of every other connection. Clients that name themselves are known by that name instead. */
  client: string;
  /** Takes an event at once; the promise, where there is one, says when there is room for the next. */
  send(event: WireEvent): Promise<void> | undefined;
  /** Ends the connection once everything sent is out. */
  close(): void;
  /** Gets what went wrong in here and is nobody's mistake outside. */
  onFailure?(failure: unknown): void;
};

type OpType = Submission['op']['type'];
type OpOf<Type extends OpType> = Extract<Submission['op'], { type: Type }>;

const VERBS: Readonly<Partial<Record<OpType, Verb>>> = {
  configure_session: 'session.open',
  attach: 'look',
  get_history_entry_request: 'look',
  user_input: 'session.input',
  interrupt: 'session.input',
  add_to_history: 'session.input',
  compact: 'session.input',
  shutdown: 'session.input',
  exec_approval: 'session.approve',
  patch_approval: 'session.approve',
};

const CLIENT_CHARS_MAX = 200;

/** One client of sessions, whatever it speaks. Its messages are handled one after the other; none ends it but the last. */
export class SessionConnection {
  private readonly ports: ConnectionPorts;
  private caller: SessionCaller | null;
  private token: string | null = null;
  private pump: EventPump | null = null;
  private handled: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(ports: ConnectionPorts) {
    this.ports = ports;
    this.caller = ports.caller && { ...ports.caller, client: ports.client };
  }

  get isKnown(): boolean {
    return this.caller !== null;
  }

  get session(): RunId | null {
    return this.pump?.session ?? null;
  }

  /**
   * Resolves when the message is dealt with and the client has room: no more is to be read before. Never rejects: what
   * goes wrong in here is told to the client or ends the connection.
   */
  take(incoming: Incoming): Promise<void> {
    this.handled = this.handled.then(() => this.handle(incoming)).catch((failure) => this.broke(failure));
    return this.handled;
  }

  /** The client sends no more: what it is owed so far is sent, then it is let go. */
  async end(): Promise<void> {
    await this.handled;
    await this.pump?.caughtUp();
    this.close();
  }

  /** By a token that came with the connection itself. Whoever has none that counts is told so and let go. */
  async identifyBy(token: string): Promise<boolean> {
    const caller = await this.ports.authenticate(token);
    if (!caller) return this.refuse(unknownToken()).then(() => false);
    this.token = token;
    this.caller = { ...caller, client: this.ports.client };
    return true;
  }

  /** Tokens were changed: whoever came by one that counts no more is let go. */
  async recheck(): Promise<void> {
    if (this.token === null || (await this.ports.authenticate(this.token))) return;
    await this.refuse(new BatonError('UNAUTHENTICATED', 'its token counts no more'));
  }

  /** Says why, then lets the client go. */
  async refuse(problem: BatonError, id = ''): Promise<void> {
    await this.answer(errorEvent(id, problem));
    this.close();
  }

  /** Also when the other side is gone already. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.pump?.stop();
    this.ports.close();
  }

  private async handle(incoming: Incoming): Promise<void> {
    if (this.isClosed) return;
    const read = readSubmission(incoming);
    if (!this.caller) return this.identify('submission' in read ? read.submission : read.id);
    if ('problem' in read) return this.answer(errorEvent(read.id, read.problem));
    const { submission } = read;
    try {
      await this.perform(submission, this.caller);
    } catch (failure) {
      await this.answer(errorEvent(submission.id, this.told(failure)));
    }
  }

  private async perform(submission: Submission, caller: SessionCaller): Promise<void> {
    const { id, op } = submission;
    switch (op.type) {
      case 'authenticate':
        return this.identify(submission);
      case 'configure_session':
        return this.configure(submission, permitted(caller, op.type));
      case 'attach':
        return this.attach(id, op, permitted(caller, op.type));
      case 'shutdown':
        if (!this.pump) return this.leave(id);
        break;
    }
    if (!VERBS[op.type]) {
      throw new BatonError('NOT_SUPPORTED', `${op.type} is not an op of a session in this release`, { op: op.type });
    }
    if (!this.pump) {
      throw new BatonError('SESSION_NOT_CONFIGURED', `${op.type} came before configure_session`, { op: op.type });
    }
    const replies = await this.ports.desk.submit(this.pump.session, submission, permitted(caller, op.type));
    for (const reply of replies) await this.answer(reply);
    if (replies.some(({ msg }) => msg.type === 'shutdown_complete')) this.close();
  }

  private async identify(first: Submission | string): Promise<void> {
    const id = typeof first === 'string' ? first : first.id;
    if (typeof first === 'string' || first.op.type !== 'authenticate') {
      const reason = 'the first message must be authenticate with a token';
      return this.refuse(new BatonError('UNAUTHENTICATED', reason), id);
    }
    const { token } = first.op;
    try {
      const caller = await this.ports.authenticate(token);
      // Whoever is known already only learns that this token adds nothing.
      if (!caller) return this.caller ? this.answer(errorEvent(id, unknownToken())) : this.refuse(unknownToken(), id);
      this.token = token;
      this.caller = { ...caller, client: this.caller?.client ?? this.ports.client };
      await this.answer({ id, msg: { type: 'authenticated', name: caller.actor, role: caller.role } });
    } catch (failure) {
      await this.refuse(this.told(failure), id);
    }
  }

  private async configure(submission: Submission, caller: SessionCaller): Promise<void> {
    const op = submission.op as OpOf<'configure_session'>;
    const { desk } = this.ports;
    const named = this.named(op, caller);
    const { session, seq, replies } = await desk.configure(submission, named, this.session);
    this.caller = named;
    if (session === this.session) {
      for (const reply of replies) await this.answer(reply);
      return;
    }
    this.pump?.stop();
    // Whoever takes a session up sees it from its own `session_configured` on, not what was before.
    this.bind(session, seq - 1);
    // What is answered to the next message comes after it.
    await this.pump?.caughtUp();
  }

  private async attach(id: string, op: OpOf<'attach'>, caller: SessionCaller): Promise<void> {
    const named = this.named(op, caller);
    const msg = await this.ports.desk.describe(op.session_id);
    const place = await this.ports.desk.place(op.session_id);
    if ((op.after ?? 0) > place) {
      const reason = `/op/after is ${op.after}, and the last event of ${op.session_id} is ${place}`;
      throw new BatonError('SCHEMA_INVALID', reason, { path: '/op/after' });
    }
    this.caller = named;
    this.pump?.stop();
    await this.answer({ id, msg });
    this.bind(op.session_id, op.after ?? 0, place);
  }

  /** Messages of one client with the same id are one message, also after it has come back under its name. */
  private named(op: OpOf<'attach' | 'configure_session'>, caller: SessionCaller): SessionCaller {
    const { client } = op;
    if (client === undefined) return caller;
    if (typeof client !== 'string' || client === '' || client.length > CLIENT_CHARS_MAX) {
      const reason = `/op/client must be text of 1 to ${CLIENT_CHARS_MAX} characters`;
      throw new BatonError('SCHEMA_INVALID', reason, { path: '/op/client' });
    }
    // Two people may choose the same name.
    return { ...caller, client: `${caller.actor}/${client}` };
  }

  /** `endedBefore`: an end up to there is history, and nobody is let go for it. */
  private bind(session: RunId, after: number, endedBefore = 0): void {
    if (this.isClosed) return;
    this.pump = new EventPump({
      ...{ desk: this.ports.desk, session, after, endedBefore },
      send: (event) => this.ports.send(event),
      onOver: () => this.close(),
      onFailure: (failure) => {
        void this.answer(errorEvent('', this.told(failure)));
        this.close();
      },
    });
    this.pump.start();
  }

  /** Nothing was begun, so nothing is ended but the connection. */
  private async leave(id: string): Promise<void> {
    await this.answer({ id, msg: { type: 'shutdown_complete' } });
    this.close();
  }

  private async answer(event: WireEvent): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.ports.send(event);
    } catch (failure) {
      this.broke(failure);
    }
  }

  /** Nobody can be told any more. */
  private broke(failure: unknown): void {
    this.ports.onFailure?.(failure);
    this.close();
  }

  private told(failure: unknown): BatonError {
    if (isBatonError(failure)) return failure;
    this.ports.onFailure?.(failure);
    return new BatonError('INTERNAL', 'it failed inside Baton');
  }
}

function permitted(caller: SessionCaller, op: OpType): SessionCaller {
  const verb = VERBS[op] ?? 'look';
  if (may(caller.role, verb)) return caller;
  const needed = LEAST_ROLE[verb];
  throw new BatonError('FORBIDDEN', `${op} is for the role ${needed} and above, not for ${caller.role}`, { needed });
}

function unknownToken(): BatonError {
  return new BatonError('UNAUTHENTICATED', 'this token does not count');
}

export function errorEvent(id: string, { message, code, hint, details }: BatonError): WireEvent {
  return { id, msg: { type: 'error', message, code, hint, ...(details && { details }) } };
}

import { randomUUID } from 'node:crypto';
import { BatonError } from '../contracts/shared/errors.js';
import { SessionConnection } from '../engine/session/session-connection.js';
import type { SessionCaller, SessionDesk, WireEvent } from '../engine/session/session-desk.js';

export type HostOptions = {
  desk: SessionDesk;
  /** Whose token this is, if it counts now. */
  authenticate(token: string): Promise<SessionCaller | null>;
  /** Who speaks where the way in shows that it is the same user: a private socket, standard input. */
  local: SessionCaller;
  connectionsMax?: number;
  /** How long a connection may stay without saying who is there. */
  unknownMs?: number;
  /** How often it is looked whether tokens still count: they also end by themselves. */
  recheckMs?: number;
  /** Calls when tokens were made or revoked. */
  onTokensChanged?(call: () => void): () => void;
  /** Gets what went wrong in here. */
  onFailure?(failure: unknown): void;
};

/** What a transport does for one connection. */
export type Peer = {
  /** Sent along with the connection itself, such as in a header. */
  bearer?: string | undefined;
  /** The way in shows that it is the same user. */
  isLocal?: boolean;
  send(event: WireEvent): Promise<void> | undefined;
  /** Ends it once everything is out. */
  close(): void;
  /** Ends it now. */
  cut(): void;
};

const CONNECTIONS_MAX = 1000;
const UNKNOWN_MS = 10_000;
const RECHECK_MS = 5_000;
/** A peer that takes no more bytes is not waited for longer once it is to be closed. */
const CLOSING_MS = 10_000;

/** All connections of one listener, with what bounds them. */
export class SessionHost {
  private readonly options: HostOptions;
  private readonly open = new Map<SessionConnection, Peer>();
  private readonly unwatch: (() => void) | undefined;
  private rechecking: NodeJS.Timeout | undefined;

  constructor(options: HostOptions) {
    this.options = options;
    this.unwatch = options.onTokensChanged?.(() => this.recheck());
  }

  /** Undefined: it was refused, told so and closed. */
  async connect(peer: Peer): Promise<SessionConnection | undefined> {
    const connection = this.enter(peer);
    if (!connection) return undefined;
    if (peer.bearer === undefined || connection.isKnown) return connection;
    if (await this.identify(connection, peer.bearer)) return connection;
    this.open.delete(connection);
    return undefined;
  }

  /** For ways in that bring no token along: nothing has to be waited for. */
  enter(peer: Peer): SessionConnection | undefined {
    const { desk, authenticate, local, onFailure, connectionsMax = CONNECTIONS_MAX } = this.options;
    const connection: SessionConnection = new SessionConnection({
      ...{ desk, authenticate, client: randomUUID(), caller: peer.isLocal ? local : null },
      send: (event) => peer.send(event),
      close: () => {
        peer.close();
        setTimeout(() => peer.cut(), CLOSING_MS).unref();
      },
      ...(onFailure && { onFailure }),
    });
    if (this.open.size >= connectionsMax) {
      const reason = `there are ${this.open.size} connections, and no more are taken`;
      connection.refuse(new BatonError('RATE_LIMITED', reason, { connections_max: connectionsMax }));
      return undefined;
    }
    this.open.set(connection, peer);
    if (!peer.isLocal) {
      this.awaitName(connection);
      this.recheckNowAndThen();
    }
    return connection;
  }

  /** The other side is gone, or was let go. */
  leave(connection: SessionConnection): void {
    connection.close();
    this.open.delete(connection);
  }

  close(): void {
    this.unwatch?.();
    clearInterval(this.rechecking);
    for (const [connection, peer] of this.open) {
      connection.close();
      peer.cut();
    }
    this.open.clear();
  }

  private async identify(connection: SessionConnection, bearer: string): Promise<boolean> {
    try {
      return await connection.identifyBy(bearer);
    } catch (failure) {
      this.options.onFailure?.(failure);
      await connection.refuse(new BatonError('INTERNAL', 'it failed inside Baton'));
      return false;
    }
  }

  private recheckNowAndThen(): void {
    this.rechecking ??= setInterval(() => this.recheck(), this.options.recheckMs ?? RECHECK_MS).unref();
  }

  private awaitName(connection: SessionConnection): void {
    const { unknownMs = UNKNOWN_MS } = this.options;
    const check = () => {
      if (connection.isKnown) return;
      connection.refuse(new BatonError('UNAUTHENTICATED', `nobody was named within ${unknownMs} ms`));
    };
    setTimeout(check, unknownMs).unref();
  }

  private recheck(): void {
    for (const connection of this.open.keys()) {
      connection.recheck().catch((failure) => this.options.onFailure?.(failure));
    }
  }
}

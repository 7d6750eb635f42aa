import type { AnyContract, Contract } from '../contracts/shared/contract.js';
import type { Role, Verb } from '../core/access/role.js';
import type { Baton } from '../engine/opened-baton.js';
import type { Origin } from '../engine/seal.js';
import type { Standing } from './standing/standing.js';
import type { EventFeed } from './stream/event-feed.js';

/** Whoever shows a token. `agent`: it acts for this agent. */
export type Identity = { name: string; role: Role; agent: string | null };

/** A request that was let through, with its body read and checked. */
export type Asked<Body = undefined> = {
  baton: Baton;
  standing: Standing;
  who: Identity;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: Body;
  /** Who does it, and the key by which a repeat is known. */
  by: Pick<Origin, 'actor' | 'key'>;
  /** What was kept with the key when the same was asked before and has counted; null the first time. */
  repeated: string | null;
  signal: AbortSignal;
};

/** One address of the API. The server, its documentation and the table of roles are made from the list of these. */
export type Route = {
  method: 'GET' | 'POST' | 'DELETE';
  /** `:name` stands for a part of the path. */
  path: string;
  verb: Verb;
  summary: string;
  /** What may stand behind the question mark, by its name. */
  query?: Readonly<Record<string, string>>;
  body?: AnyContract;
  /** Its body is whatever JSON it is; or, where that is said, JSON or many of it, one a line. */
  takes?: 'anything' | 'lines';
  /** Refusals say `error` and `message` too, for other implementations of contract 002. */
  tellsErrors?: true;
  /**
   * With `Accept: text/event-stream` it is a stream, which goes on behind `last` or, when that is not said, behind
   * `after` of the query. What is wrong with the request is said before it begins.
   */
  stream?(asked: Asked, from: StreamFrom): Promise<Pieces>;
  /** Of a good answer; 200 when it is absent. */
  status?: 200 | 201 | 202;
  answer(asked: Asked<never>): Promise<unknown>;
};

export type StreamFrom = { feed: EventFeed; last: string | undefined };
/** Whole messages, each sent when the one before has been taken. Null: there is nothing more to wait for. */
export type Pieces = AsyncIterable<string> | null;

/** A route whose body has the type of its contract. */
export function withBody<Body>(
  route: Omit<Route, 'body' | 'answer'> & { body: Contract<Body>; answer(asked: Asked<Body>): Promise<unknown> },
): Route {
  return route as unknown as Route;
}

export function route(one: Omit<Route, 'body' | 'answer'> & { answer(asked: Asked): Promise<unknown> }): Route {
  return one as Route;
}

/** A good answer that is no 200, or not the usual one of its route. */
export class Answer {
  readonly status: number;
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.value = value;
    this.headers = headers;
  }
}

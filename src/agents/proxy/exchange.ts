/**
 * One request of an agent, on its way to a provider and back.
 *
 * X1  What the provider sends is counted when it goes on to the agent, in the same turn of the event loop. What comes in
 *     one turn goes on together, unless the budget may be used up by it: then in the pieces it came in.
 * X2  However it ends, `#close` runs once: the last figures are charged, both connections are done with.
 * X3  At most what came in one turn is kept for a slow reader; meanwhile the provider is not read.
 */

import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import { AnswerCount } from './answer-count.js';
import { type AnswerReader, BodyReader, StreamReader } from './answer-reader.js';
import { priceMissing, type StopReason } from './budget.js';
import { Charge } from './charge.js';
import type { Grant } from './grants.js';
import { requestHeaders, responseHeaders } from './headers.js';
import { IdleWatch } from './idle-watch.js';
import { KeyMask } from './key-mask.js';
import type { PriceTable } from './prices.js';
import { errorIn, failureOf, type ProviderFailure } from './provider-failure.js';
import { mayRetry, type Refusal, stopRefusal } from './refusal.js';
import { BackgroundWatch, modelHint, textBytes } from './request-text.js';
import { joined } from './sse-blocks.js';
import type { Endpoint, Target } from './target.js';
import { TurnChunks } from './turn-chunks.js';
import type { Upstream, UpstreamConnections } from './upstream.js';
import type { Wire } from './wires/wire.js';

export type ExchangePorts = {
  connections: UpstreamConnections;
  prices: PriceTable;
  clock: Clock;
  scrub: Scrub;
  bounds: ExchangeBounds;
  tellUsage(grant: Grant): void;
  tellStop(grant: Grant, reason: StopReason): void;
  tellProvider(grant: Grant, failure: ProviderFailure): void;
};

export type ExchangeBounds = {
  /** Of one token, at the same time. */
  requestsMax: number;
  bodyBytesMax: number;
  /** Until the provider begins to answer; models think long. */
  headMsMax: number;
  /** Between one piece of an answer and the next. */
  idleMsMax: number;
};

const ERROR_BYTES_MAX = 64 * 1024;

export class Exchange {
  readonly #ports: ExchangePorts;
  readonly #grant: Grant;
  readonly #upstream: Upstream;
  readonly #wire: Wire;
  readonly #request: IncomingMessage;
  readonly #agent: ServerResponse;
  readonly #count = new AnswerCount();
  readonly #charge: Charge | null;
  readonly #mask: KeyMask;
  readonly #provider: ClientRequest;
  readonly #idle: IdleWatch;
  readonly #leave: () => void;
  readonly #turn = new TurnChunks((chunks) => this.#passAll(chunks));
  #reader: AnswerReader | null = null;
  #answer: IncomingMessage | null = null;
  /** The provider has the whole request, so it may have worked on it. */
  #sent = false;
  #closed = false;

  constructor(
    ports: ExchangePorts,
    request: IncomingMessage,
    agent: ServerResponse,
    way: { grant: Grant; target: Target; endpoint: Endpoint },
  ) {
    const { grant, target, endpoint } = way;
    const { upstream } = grant;
    this.#ports = ports;
    this.#grant = grant;
    this.#upstream = upstream;
    this.#wire = endpoint.wire;
    this.#request = request;
    this.#agent = agent;
    this.#charge = endpoint.metered ? new Charge(grant, ports.prices, () => ports.tellUsage(grant)) : null;
    this.#mask = new KeyMask(upstream.login.mode === 'key' ? upstream.login.key : '');
    const headers = requestHeaders(request.headers, upstream);
    this.#provider = ports.connections.open(upstream, endpoint.method, target.path, headers);
    this.#idle = new IdleWatch(ports.clock, ports.bounds.headMsMax, () => this.#waitedTooLong());
    const leaveBudget = endpoint.metered ? grant.budget.onUsed((reason) => this.#stop(reason)) : () => {};
    const end = () => this.#breakOff();
    const left = () => this.#close();
    grant.live.add(end);
    // Of the connection: an answer that waits for those before it is not told when that ends.
    request.socket.on('close', left);
    this.#leave = () => {
      leaveBudget();
      request.socket.off('close', left);
      grant.live.delete(end);
    };
    this.#listen();
  }

  #listen(): void {
    const [agent, provider, request] = [this.#agent, this.#provider, this.#request];
    agent.on('error', () => this.#close());
    agent.on('drain', () => this.#answer?.resume());
    provider.on('drain', () => request.resume());
    provider.on('finish', () => {
      if (this.#closed) return;
      this.#sent = true;
      this.#charge?.set(this.#count);
    });
    provider.on('response', (answer) => this.#begin(answer));
    provider.on('error', (problem) =>
      this.#failed('baton_upstream_unreachable', 'The provider cannot be reached.', problem),
    );
    // Without a word of why, as after an answer that changes to another protocol.
    provider.on('close', () => {
      if (!this.#answer) this.#failed('baton_upstream_unreachable', 'The provider broke off.');
    });
    this.#forwardBody(request);
  }

  #forwardBody(request: IncomingMessage): void {
    let bytes = 0;
    const background = new BackgroundWatch();
    request.on('data', (chunk: Buffer) => {
      if (this.#closed) return;
      this.#count.hint ??= modelHint(chunk);
      bytes += chunk.length;
      this.#count.requestBytes += textBytes(chunk);
      this.#idle.touch();
      if (bytes > this.#ports.bounds.bodyBytesMax) this.#refuse(tooLarge(this.#ports.bounds.bodyBytesMax));
      else if (background.sees(chunk)) this.#refuse(BACKGROUND);
      else if (!this.#provider.write(chunk)) request.pause();
    });
    request.on('end', () => {
      if (!this.#closed) this.#provider.end();
    });
  }

  #begin(answer: IncomingMessage): void {
    if (this.#closed) {
      answer.destroy();
      return;
    }
    this.#answer = answer;
    this.#idle.allow(this.#ports.bounds.idleMsMax);
    const { statusCode: status = 0, headers } = answer;
    const encoding = headers['content-encoding'] ?? 'identity';
    if (status < 200) {
      this.#failed('baton_upstream_unreachable', 'The provider answers with a status that does not exist.');
    } else if (status >= 400) {
      this.#relayError(answer, status);
    } else if (status >= 300 && status !== 304) {
      // Whoever redirects has done nothing yet. Where to is not said: nobody shall follow it.
      this.#sent = false;
      this.#failed('baton_upstream_redirect', 'The provider redirects, which is not followed.');
    } else if (encoding === 'identity' || encoding === '') {
      this.#relay(answer, status);
    } else {
      this.#failed('baton_upstream_encoding', 'The provider compresses its answer, which then cannot be counted.');
    }
  }

  #relay(answer: IncomingMessage, status: number): void {
    this.#grant.failure = null;
    const isStream = /^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '');
    const headers = responseHeaders(answer.headers, this.#upstream);
    // An error may be added at its end.
    if (isStream) delete headers['content-length'];
    this.#reader = isStream ? new StreamReader(this.#wire, this.#count) : new BodyReader(this.#wire, this.#count);
    this.#agent.writeHead(status, headers);
    this.#agent.flushHeaders();
    answer.on('data', (chunk: Buffer) => this.#turn.add(chunk));
    answer.on('end', () => this.#ended());
    answer.on('error', (problem) => this.#failed('baton_upstream_unreachable', 'The provider broke off.', problem));
  }

  #passAll(chunks: readonly Buffer[]): void {
    this.#idle.touch();
    const together = joined(chunks);
    const isNear = chunks.length > 1 && this.#charge?.couldUseUp(this.#count, together.length);
    for (const piece of isNear ? chunks : [together]) this.#pass(piece);
  }

  #pass(chunk: Buffer): void {
    if (this.#closed) return;
    const bytes = this.#reader?.add(this.#mask.add(chunk));
    if (!bytes || bytes.length === 0) return;
    if (!this.#agent.write(bytes)) this.#answer?.pause();
    this.#charge?.set(this.#count);
    if (!this.#closed) this.#wantPrice();
  }

  /** Only the answer is believed about what model it is of. */
  #wantPrice(): void {
    if (!this.#grant.budget.needsPrice || this.#count.named === undefined) return;
    const model = this.#charge?.unpriced(this.#count);
    if (model !== undefined) this.#stop(priceMissing(model));
  }

  #ended(): void {
    if (this.#closed) return;
    this.#flush();
    if (this.#closed) return;
    this.#wantPrice();
    const { failure } = this.#count;
    if (failure) this.#tellFailure({ headers: this.#answer?.headers ?? {}, ...failure });
    this.#close();
    if (!this.#agent.writableEnded) this.#agent.end();
  }

  /** What was kept back goes out. */
  #flush(): void {
    this.#turn.flush();
    if (this.#closed) return;
    const rests = [this.#reader?.add(this.#mask.rest()), this.#reader?.end()];
    for (const rest of rests) if (rest && rest.length > 0) this.#agent.write(rest);
  }

  #relayError(answer: IncomingMessage, status: number): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = () => {
      if (this.#closed) return;
      const body = Buffer.concat(chunks);
      this.#tellFailure({ status, headers: answer.headers, ...errorIn(body.toString()) });
      const headers = responseHeaders(answer.headers, this.#upstream);
      delete headers['content-length'];
      this.#charge?.waive();
      this.#close({ charge: false });
      this.#agent.writeHead(status, headers);
      this.#agent.end(this.#upstream.login.mode === 'own' ? body : this.#ports.scrub(body.toString()));
    };
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > ERROR_BYTES_MAX) done();
    });
    answer.on('end', done);
    answer.on('error', done);
  }

  /** The budget is used up. An answer that is already whole, or that is no stream, was paid for and goes on. */
  #stop(reason: StopReason): void {
    this.#ports.tellStop(this.#grant, reason);
    if (this.#closed || this.#count.finished || this.#reader instanceof BodyReader) return;
    this.#refuse(stopRefusal(reason));
  }

  #waitedTooLong(): void {
    if (this.#agent.writableNeedDrain) this.#breakOff();
    else this.#failed('baton_upstream_timeout', 'The provider did not answer in time.');
  }

  #failed(code: Refusal['code'], message: string, problem?: NodeJS.ErrnoException): void {
    if (this.#closed) return;
    const reason = problem?.code === undefined ? code : `${code} ${problem.code}`;
    this.#ports.tellProvider(this.#grant, { kind: 'network', reason });
    if (this.#reader) {
      this.#flush();
      if (!this.#closed) this.#breakOff();
    } else {
      this.#refuse({ status: code === 'baton_upstream_timeout' ? 504 : 502, code, message });
    }
  }

  #refuse(refusal: Refusal): void {
    if (this.#closed) return;
    this.#close();
    if (!this.#reader) sendRefusal(this.#agent, this.#wire, refusal);
    else if (this.#reader.canSayError) this.#agent.end(this.#wire.errorFrame(refusal));
    else this.#agent.socket?.destroySoon();
  }

  /** The agent sees what it would see without a proxy: a connection that ends too soon. */
  #breakOff(): void {
    this.#close();
    this.#agent.socket?.destroySoon();
  }

  #close({ charge = true } = {}): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#leave();
    this.#idle.stop();
    // What the agent still sends is read and dropped, so that its connection can be used again.
    this.#request.resume();
    if (!this.#answer?.complete || !this.#provider.writableFinished) this.#provider.destroy();
    if (charge && this.#charge) this.#chargeLast(this.#charge);
  }

  #chargeLast(charge: Charge): void {
    if (!this.#sent && !this.#reader) {
      charge.waive();
      return;
    }
    charge.set(this.#count);
    const { used, needsPrice } = this.#grant.budget;
    const unpriced = charge.unpriced(this.#count);
    if (used) this.#ports.tellStop(this.#grant, used);
    else if (needsPrice && unpriced !== undefined) this.#ports.tellStop(this.#grant, priceMissing(unpriced));
  }

  #tellFailure(told: Parameters<typeof failureOf>[0]): void {
    const failure = failureOf(told, this.#upstream.login.mode, this.#ports.clock.nowMs());
    if (failure) this.#ports.tellProvider(this.#grant, failure);
  }
}

export function sendRefusal(agent: ServerResponse, wire: Wire, refusal: Refusal): void {
  const headers = { 'content-type': 'application/json', 'x-should-retry': String(mayRetry(refusal)) };
  // What the agent still sends is not read.
  agent.writeHead(refusal.status, { ...headers, ...(refusal.status === 413 && { connection: 'close' }) });
  agent.end(JSON.stringify(wire.errorBody(refusal)));
}

const BACKGROUND: Refusal = {
  status: 400,
  code: 'baton_background',
  message: 'Work in the background cannot be counted; ask without "background": true.',
};

function tooLarge(bytesMax: number): Refusal {
  return { status: 413, code: 'baton_body_too_large', message: `A request may have ${bytesMax} bytes.` };
}

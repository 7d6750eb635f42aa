import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Budget, type BudgetLimits, type StopReason } from '../../src/agents/proxy/budget.js';
import { createMeter, type Issued, type Meter, type MeterOptions } from '../../src/agents/proxy/create-meter.js';
import type { HandoffGrant } from '../../src/agents/proxy/grants.js';
import type { PriceTable } from '../../src/agents/proxy/prices.js';
import type { ProviderFailure } from '../../src/agents/proxy/provider-failure.js';
import type { MeteredUsage } from '../../src/agents/proxy/tokens.js';
import type { Upstream } from '../../src/agents/proxy/upstream.js';
import { createScrub } from '../../src/engine/scrub.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { type ModelScenario, type ModelServer, type Step, startModelServer } from '../../src/testing/index.js';

export const KEY = 'sk-canary-4f9b1c7d20e85a36';
/** One micro-dollar for a token of input, ten for one of output. */
export const PRICES: PriceTable = {
  version: 1,
  date: '2026-01-01',
  models: { scripted: { input: 1_000_000, cached_input: 100_000, output: 10_000_000 } },
};

export type WireName = 'responses' | 'chat' | 'messages';
export const WIRES: readonly WireName[] = ['responses', 'chat', 'messages'];
export const PATHS: Readonly<Record<WireName, string>> = {
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
};

export type Got = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string /** Ended as it should. */;
  whole: boolean;
};

/** `key` is another provider for the login of that name. */
type Options = Partial<MeterOptions> & { key?: Upstream };

/** A scripted provider and a meter before it, with all the meter tells. */
export class Stage {
  readonly stops: [handoff: string, StopReason][] = [];
  readonly failures: [login: string, ProviderFailure][] = [];
  readonly told: [handoff: string, MeteredUsage][] = [];

  readonly provider: ModelServer;
  readonly meter: Meter;
  private readonly upstreams: Readonly<Record<string, Upstream>>;

  private constructor(provider: ModelServer, meter: Meter, upstreams: Readonly<Record<string, Upstream>>) {
    this.provider = provider;
    this.meter = meter;
    this.upstreams = upstreams;
  }

  static async open(scenario: ModelScenario, { key, ...options }: Options = {}): Promise<Stage> {
    const provider = await startModelServer(scenario);
    const baseUrl = `${provider.url}/v1`;
    const upstreams = {
      key: key ?? { baseUrl, login: { mode: 'key', key: KEY, header: 'authorization' } },
      own: { baseUrl, login: { mode: 'own' } },
    } as const;
    let stage: Stage | undefined;
    const meter = await createMeter({
      prices: PRICES,
      clock: nodeClock,
      scrub: createScrub([]),
      onUsage: ({ handoff }, usage) => stage?.told.push([handoff, usage]),
      onStop: ({ handoff }, reason) => stage?.stops.push([handoff, reason]),
      onProvider: (login, failure) => stage?.failures.push([login, failure]),
      ...options,
    });
    stage = new Stage(provider, meter, upstreams);
    return stage;
  }

  static step(step: Step, options?: Options): Promise<Stage> {
    return Stage.open({ turns: [{ steps: [step] }] }, options);
  }

  issue(limits: BudgetLimits | Budget = {}, grant: Partial<HandoffGrant> = {}): Issued {
    const budget = limits instanceof Budget ? limits : new Budget(limits);
    const { login = 'key' } = grant;
    const upstream = this.upstreams[login] as Upstream;
    return this.meter.issue({ run: 'run-1', handoff: 'h1', login, upstream, ...grant, budget });
  }

  async close(): Promise<void> {
    await this.meter.close();
    await this.provider.close();
  }
}

export type Ask = {
  stream?: boolean;
  prompt?: string;
  wantsUsage?: boolean;
  headers?: Record<string, string>;
  /** Called with each piece of the answer. */
  onData?: (chunk: Buffer, leave: () => void) => void;
};

export function bodyOf(wire: WireName, { stream = true, prompt = 'Go on.', wantsUsage = true }: Ask = {}): string {
  const asked = wire === 'responses' ? { input: prompt } : { messages: [{ role: 'user', content: prompt }] };
  const options = wire === 'chat' && stream && wantsUsage ? { stream_options: { include_usage: true } } : {};
  return JSON.stringify({ model: 'scripted', stream, ...asked, ...options });
}

/** As an agent would ask: with the token as its key. */
export function ask({ baseUrl, token }: Issued, wire: WireName, how: Ask = {}): Promise<Got> {
  const headers = { authorization: `Bearer ${token}`, ...how.headers };
  return send(`${baseUrl}${PATHS[wire]}`, bodyOf(wire, how), { ...how, headers });
}

export function send(url: string, body: string | Buffer | null, { headers, onData }: Ask = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method: body === null ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      agent: false,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      const done = (whole: boolean) => {
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, text: Buffer.concat(chunks).toString(), whole });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        onData?.(chunk, () => request.destroy());
      });
      response.on('end', () => done(true));
      response.on('error', () => done(false));
    });
    request.end(body ?? undefined);
  });
}

/** Waits until something holds that other sockets bring about. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

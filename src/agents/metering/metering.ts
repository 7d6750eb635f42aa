import { PARK_MS_MIN } from '../../core/kernel/provider-wait.js';
import type { AskOutcome, Clock, Left, RunId } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import { failed } from '../adapter.js';
import { Budget, type BudgetLimits } from '../proxy/budget.js';
import type { Issued, Meter, Seen } from '../proxy/create-meter.js';
import type { HandoffGrant } from '../proxy/grants.js';
import type { PriceTable } from '../proxy/prices.js';
import { type Upstream, upstreamProblem } from '../proxy/upstream.js';
import { KeptUsage } from './kept-usage.js';
import { meteredOutcome, stopped, withoutKey } from './metered-outcome.js';
import {
  addressOf,
  type Environment,
  type ProviderName,
  programEnvironment,
  type Settings,
  upstreamOf,
  withoutKeys,
} from './providers.js';

export type Attempt = { run: RunId; handoff: string; attempt: number };

export type MeteringOptions = {
  environment: Environment;
  settings(): Promise<Settings>;
  clock: Clock;
  scrub: Scrub;
  /** Asked once, before the first request. */
  prices(): Promise<PriceTable>;
  /** What a run may spend, and what it has spent. */
  budgetOf(run: RunId): Promise<{ limits: BudgetLimits; spent: { tokens: number; costMicroUsd: number } }>;
  /** Keeps what was used so far, for whoever takes over after a crash. Must not throw. */
  keep(of: Attempt, left: Left): void;
};

/** A provider an agent is to reach. `baseUrl` is where, when that is not the usual one. */
export type Need = {
  provider: ProviderName;
  baseUrl?: string | undefined;
  /** The agent brings a login of its own, by this name; nothing of it is kept here. */
  own?: { login: string; baseUrl: string };
  /** Left out when there is no key for it. */
  optional?: boolean;
  /** Baton itself asks there: what the provider says is told once, and where that is. */
  isDirect?: boolean;
};

export type Access = {
  /** What Baton itself was started with, but for the keys of providers. */
  environment: Environment;
  /** What an agent is given instead of keys. */
  env: Readonly<Record<string, string>>;
  /** Of loopback, where the proxy is. */
  ports: readonly number[];
  /** Aborted with the ask, and when the budget is used up or the provider wants a long wait, and the agent goes on. */
  signal: AbortSignal;
  /** In the order of the needs, without the optional ones that there is no key for. */
  ways: readonly { provider: ProviderName; baseUrl: string; token: string }[];
  /** For who asks a model by its name: why it is not to be asked, if it is not. */
  whyNot(model: string): AskOutcome | undefined;
  /** Keeps the name of its conversation, for whoever goes on with it. */
  noteThread(thread: string): void;
};

type Grant = HandoffGrant & { provider: ProviderName };
/** Ended when nothing is left to spend, and when its provider asks for a long wait and nothing comes of it otherwise. */
type Live = { usage: KeptUsage; outputTokens: number; stopped: Countdown; waits: Countdown };

/** Whoever was told that there is no more gets so long to come to an end by itself. */
const STOPPED_MS_MAX = 5_000;
const UNPRICED_MAX = 1_000;

/** Lets agents reach providers for the time of one handoff, counted and within the budget of their run. */
export class Metering {
  private readonly options: MeteringOptions;
  private readonly live = new Map<HandoffGrant, Live>();
  private readonly budgets = new Map<RunId, { budget: Budget; users: number }>();
  /** Which models without a price a run has asked by these names. Their answers stood; they are not asked again while money is limited. */
  private readonly unpriced = new Map<string, string>();
  private opened: Promise<Meter> | undefined;

  constructor(options: MeteringOptions) {
    this.options = options;
  }

  /** What the proxy saw wins over what the agent says. */
  async during(
    of: Attempt,
    needs: readonly Need[],
    signal: AbortSignal,
    call: (access: Access) => Promise<AskOutcome>,
  ): Promise<AskOutcome> {
    const settings = await this.options.settings();
    const environment = withoutKeys(this.options.environment, settings);
    const found = this.upstreams(needs, settings);
    if ('problem' in found) return failed('auth', found.problem);
    const usage = new KeptUsage(this.options.clock, (left) => this.options.keep(of, left));
    const noteThread = (thread: string): void => usage.note(thread);
    if (found.upstreams.length === 0) {
      return withoutKey(
        await call({ environment, env: {}, ports: [], signal, ways: [], noteThread, whyNot: () => undefined }),
        found.missing,
      );
    }
    const meter = await this.meter();
    const { budget, leave } = await this.budget(of.run);
    let asked: string | undefined;
    const whyNot = (name: string): AskOutcome | undefined => {
      asked = `${of.run}\n${name}`;
      const model = this.unpriced.get(asked);
      return model !== undefined && budget.needsPrice ? stopped({ kind: 'price-missing', model }) : undefined;
    };
    const ending = new AbortController();
    const { clock } = this.options;
    const grants = found.upstreams.map((one): Grant => ({ run: of.run, handoff: of.handoff, ...one, budget }));
    const toEnd = (): Countdown => countdown(clock, STOPPED_MS_MAX, () => ending.abort());
    const [used, waits] = [toEnd(), toEnd()];
    for (const grant of grants) this.live.set(grant, { usage, outputTokens: 0, stopped: used, waits });
    let issued: readonly Issued[] = [];
    try {
      issued = grants.map((grant) => meter.issue(grant));
      const access = accessOf(meter, grants, issued);
      const both = AbortSignal.any([signal, ending.signal]);
      const outcome = await call({ ...access, environment, noteThread, whyNot, signal: both });
      const seen = revoked(meter, issued);
      for (const { stop } of seen) {
        if (asked !== undefined && stop?.kind === 'price-missing') this.noteUnpriced(asked, stop.model);
      }
      return withoutKey(meteredOutcome(outcome, seen, directAddress(needs, grants)), found.missing);
    } finally {
      used.clear();
      waits.clear();
      revoked(meter, issued);
      usage.end();
      for (const grant of grants) this.live.delete(grant);
      leave();
    }
  }

  /** Its limits may have been raised, or lowered. */
  async changed(run: RunId): Promise<void> {
    const shared = this.budgets.get(run);
    if (shared) shared.budget.limits = (await this.options.budgetOf(run)).limits;
  }

  async close(): Promise<void> {
    const meter = await this.opened?.catch(() => undefined);
    await meter?.close();
  }

  private noteUnpriced(asked: string, model: string): void {
    this.unpriced.set(asked, model);
    for (const oldest of this.unpriced.keys()) {
      if (this.unpriced.size <= UNPRICED_MAX) return;
      this.unpriced.delete(oldest);
    }
  }

  private upstreams(needs: readonly Need[], settings: Settings) {
    const { environment } = this.options;
    const upstreams: Pick<Grant, 'provider' | 'login' | 'upstream'>[] = [];
    const missing: string[] = [];
    for (const { provider, baseUrl, own, optional = false } of needs) {
      const found = own ? ownUpstream(own.baseUrl) : upstreamOf(provider, { environment, settings, baseUrl });
      if ('missing' in found) {
        if (!optional) return { problem: `${found.missing} is not set` };
        missing.push(found.missing);
        continue;
      }
      const problem = upstreamProblem(found.upstream);
      if (problem !== undefined) return { problem };
      upstreams.push({ provider, login: own?.login ?? provider, upstream: found.upstream });
    }
    return { upstreams, missing };
  }

  /** One for all that a run asks at the same time, and for their children. */
  private async budget(run: RunId): Promise<{ budget: Budget; leave(): void }> {
    const { limits, spent } = await this.options.budgetOf(run);
    const shared = this.budgets.get(run) ?? { budget: new Budget(limits, spent), users: 0 };
    this.budgets.set(run, shared);
    shared.users += 1;
    return {
      budget: shared.budget,
      leave: () => {
        shared.users -= 1;
        if (shared.users === 0) this.budgets.delete(run);
      },
    };
  }

  /** Opened by the first who needs it; by the next one, when it could not be. */
  private meter(): Promise<Meter> {
    this.opened ??= this.open().catch((failure) => {
      this.opened = undefined;
      throw failure;
    });
    return this.opened;
  }

  private async open(): Promise<Meter> {
    const { clock, scrub } = this.options;
    const [prices, { createMeter }] = await Promise.all([this.options.prices(), import('../proxy/create-meter.js')]);
    return createMeter({
      ...{ clock, scrub, prices },
      onUsage: (grant, sums) => {
        const live = this.live.get(grant);
        live?.usage.tell(grant, sums);
        if (!live || sums.outputTokens <= live.outputTokens) return;
        live.outputTokens = sums.outputTokens;
        live.waits.clear();
      },
      onStop: (grant) => this.live.get(grant)?.stopped.begin(),
      // What it was is said when the token is given back.
      onProvider: (_, { kind, retryAfterMs = 0 }, grant) => {
        // Some would sit out the longest wait; their job is parked instead.
        if (kind === 'limit' && retryAfterMs > PARK_MS_MIN) this.live.get(grant)?.waits.begin();
      },
    });
  }
}

function directAddress(needs: readonly Need[], grants: readonly Grant[]): string | undefined {
  const [grant] = grants;
  if (!grant || !needs.every(({ isDirect }) => isDirect)) return undefined;
  const { origin, pathname } = new URL(grant.upstream.baseUrl);
  return `${origin}${pathname}`;
}

function ownUpstream(baseUrl: string): { upstream: Upstream } {
  return { upstream: { baseUrl, login: { mode: 'own' } } };
}

type Countdown = { begin(): void; clear(): void };

function countdown(clock: Clock, delayMs: number, call: () => void): Countdown {
  let clear = (): void => {};
  return {
    begin() {
      clear();
      clear = clock.after(delayMs, call);
    },
    clear: () => clear(),
  };
}

function accessOf(
  meter: Meter,
  grants: readonly Grant[],
  issued: readonly Issued[],
): Pick<Access, 'env' | 'ports' | 'ways'> {
  const ways = issued.map(({ baseUrl, token }, index) => {
    const { provider } = grants[index] as Grant;
    return { provider, baseUrl: addressOf(provider, baseUrl), token };
  });
  const env = ways.map(({ provider, baseUrl, token }) => programEnvironment(provider, baseUrl, token));
  return { env: Object.assign({}, ...env), ports: [Number(new URL(meter.url).port)], ways };
}

function revoked(meter: Meter, issued: readonly Issued[]): Seen[] {
  return issued.flatMap(({ token }) => meter.revoke(token) ?? []);
}

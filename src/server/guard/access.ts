import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { KeptToken } from '../../core/access/token.js';
import { SYSTEM_RUN } from '../../core/kernel/system-run.js';
import { isExpired } from '../../core/policy/rule.js';
import type { SystemState } from '../../core/system/system-messages.js';
import type { Baton } from '../../engine/opened-baton.js';
import { readRun } from '../../engine/read-run.js';
import type { Identity } from '../route.js';

const CHALLENGE = /^[0-9a-f]{32}$/;

/** What whoever may read the files of the home is called: what they do without a server has that name too. */
export type LocalToken = { localToken: string; localName?: string };

/** Whose tokens count. The one of the home is for whoever may read its files, and may do everything. */
export class Access {
  private readonly baton: Pick<Baton, 'store' | 'machines' | 'engine' | 'clock'>;
  private readonly localToken: string;
  private readonly localName: string;
  private readonly local: string;
  private byHash = new Map<string, Identity & Pick<KeptToken, 'expiresAt'>>();
  private readonly watchers = new Set<() => void>();
  private readonly unwatch: () => void;
  private loading: Promise<void> = Promise.resolve();

  constructor(
    baton: Pick<Baton, 'store' | 'machines' | 'engine' | 'clock'>,
    { localToken, localName = 'local' }: LocalToken,
  ) {
    this.baton = baton;
    this.localToken = localToken;
    this.localName = localName;
    this.local = hashOf(localToken);
    this.unwatch = baton.engine.watch(SYSTEM_RUN, () => void this.load().catch(() => {}));
  }

  load(): Promise<void> {
    this.loading = this.loading.catch(() => {}).then(() => this.read());
    return this.loading;
  }

  /** Whose token this is, if it counts now. */
  identify(token: string): Identity | undefined {
    return this.identifyHash(hashOf(token));
  }

  identifyHash(hash: string): Identity | undefined {
    if (isSame(hash, this.local)) return { name: this.localName, role: 'admin', agent: null };
    const found = this.byHash.get(hash);
    if (!found || this.isOver(found)) return undefined;
    const { name, role, agent } = found;
    return { name, role, agent };
  }

  /** It was good once, and nobody has revoked it. */
  hasExpired(hash: string): boolean {
    const found = this.byHash.get(hash);
    return found !== undefined && this.isOver(found);
  }

  private isOver({ expiresAt }: Pick<KeptToken, 'expiresAt'>): boolean {
    return isExpired(expiresAt, this.baton.clock.nowMs());
  }

  /** Shows whoever knows the token of the home that this is its server, before they send it. */
  proof(challenge: unknown): { proof?: string } {
    if (typeof challenge !== 'string' || !CHALLENGE.test(challenge)) return {};
    return { proof: createHmac('sha256', this.localToken).update(challenge).digest('hex') };
  }

  /** Called when tokens were made or revoked. */
  onChange(call: () => void): () => void {
    this.watchers.add(call);
    return () => this.watchers.delete(call);
  }

  close(): void {
    this.unwatch();
  }

  private async read(): Promise<void> {
    const { store, machines } = this.baton;
    const state = (await readRun(store, machines, SYSTEM_RUN))?.state as SystemState | undefined;
    const tokens = [...(state?.tokens.values() ?? [])];
    this.byHash = new Map(tokens.map((token) => [token.sha256, token]));
    for (const call of this.watchers) call();
  }
}

/** Tokens are random and long: their hash needs no salt and no slowness. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

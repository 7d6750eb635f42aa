import { randomBytes } from 'node:crypto';
import type { Clock } from '../../engine/ports.js';
import type { Identity } from '../route.js';
import { type Access, hashOf } from './access.js';

const LINK_MS_MAX = 60_000;
const SESSION_MS_MAX = 12 * 3_600_000;
const LINKS_MAX = 20;
const SESSIONS_MAX = 1_000;

type Link = { token: string; untilMs: number };
type Session = { token: string; proof: string; untilMs: number };

/** A session as it is written down: hashes alone, so that whoever reads the file can log in nowhere. */
export type KeptSession = { session: string; token: string; proof: string; until_ms: number };
/** Where sessions outlive the server. `write` resolves when they are on the disk. */
export type SessionKeeper = {
  read(): Promise<readonly KeptSession[]>;
  write(sessions: readonly KeptSession[]): Promise<void>;
};

type Around = {
  access: Pick<Access, 'identifyHash'>;
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  keeper: SessionKeeper;
};

/**
 * Browsers that stand for a token.
 *
 * L1: a link works once and for a minute; whoever has its code has not the token. Links end with the server.
 * L2: a session needs its cookie and its proof. Cookies of an address go to every port of it, so another program on
 *     this machine can get the cookie; the proof is kept by the page, and pages of another port cannot read it.
 * L3: a session may what its token may, and ends when that is revoked.
 * L4: nobody is told that a session begins or ends before that is on the disk: it outlives the server, its end too.
 */
export class Sessions {
  private readonly around: Around;
  private readonly links = new Map<string, Link>();
  private readonly sessions = new Map<string, Session>();
  private readonly watchers = new Set<() => void>();
  private writing: Promise<void> = Promise.resolve();

  constructor(around: Around) {
    this.around = around;
  }

  /** Those of an earlier server of this home. */
  async load(): Promise<void> {
    const nowMs = this.around.clock.nowMs();
    for (const { session, token, proof, until_ms } of await this.around.keeper.read()) {
      // Longer than any session lasts: the clock was elsewhere then.
      if (until_ms <= nowMs || until_ms > nowMs + SESSION_MS_MAX) continue;
      this.sessions.set(session, { token, proof, untilMs: until_ms });
    }
  }

  /** `token` is the hash of the one it stands for. */
  link(token: string): { code: string; seconds: number } {
    const code = secret();
    const nowMs = this.around.clock.monotonicMs();
    makeRoom(this.links, LINKS_MAX, nowMs);
    this.links.set(hashOf(code), { token, untilMs: nowMs + LINK_MS_MAX });
    return { code, seconds: LINK_MS_MAX / 1_000 };
  }

  /** Undefined when the code is unknown, used or too old. */
  async begin(code: string): Promise<{ session: string; proof: string; seconds: number } | undefined> {
    const { access, clock } = this.around;
    const hash = hashOf(code);
    const link = this.links.get(hash);
    this.links.delete(hash);
    if (!link || link.untilMs <= clock.monotonicMs() || !access.identifyHash(link.token)) return undefined;
    const [session, proof] = [secret(), secret()];
    makeRoom(this.sessions, SESSIONS_MAX, clock.nowMs());
    const untilMs = clock.nowMs() + SESSION_MS_MAX;
    this.sessions.set(hashOf(session), { token: link.token, proof: hashOf(proof), untilMs });
    await this.write();
    return { session, proof, seconds: SESSION_MS_MAX / 1_000 };
  }

  identify(session: string, proof: string): Identity | undefined {
    const { access, clock } = this.around;
    const found = this.sessions.get(hashOf(session));
    if (!found || found.untilMs <= clock.nowMs() || found.proof !== hashOf(proof)) return undefined;
    return access.identifyHash(found.token);
  }

  async end(session: string): Promise<void> {
    this.sessions.delete(hashOf(session));
    for (const call of this.watchers) call();
    await this.write();
  }

  /** Called when a session was ended. */
  onChange(call: () => void): () => void {
    this.watchers.add(call);
    return () => this.watchers.delete(call);
  }

  /** One after the other, each with everything there is by then. */
  private write(): Promise<void> {
    this.writing = this.writing
      .catch(() => {})
      .then(() => {
        const kept = [...this.sessions].map(([session, { token, proof, untilMs }]) => ({
          ...{ session, token, proof },
          until_ms: untilMs,
        }));
        return this.around.keeper.write(kept);
      });
    return this.writing;
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is over goes first, then the oldest. */
function makeRoom(kept: Map<string, { untilMs: number }>, max: number, nowMs: number): void {
  if (kept.size < max) return;
  for (const [key, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(key);
  for (const key of kept.keys()) {
    if (kept.size < max) return;
    kept.delete(key);
  }
}

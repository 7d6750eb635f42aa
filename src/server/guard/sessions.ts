import { randomBytes } from 'node:crypto';
import type { Identity } from '../route.js';
import { type Access, hashOf } from './access.js';

const LINK_MS_MAX = 60_000;
const SESSION_MS_MAX = 12 * 3_600_000;
const LINKS_MAX = 20;
const SESSIONS_MAX = 1_000;

type Link = { token: string; untilMs: number };
type Session = Link & { proof: string };

/**
 * Browsers that stand for a token. Nothing here is written down: sessions end with the server.
 *
 * L1: a link works once and for a minute; whoever has its code has not the token.
 * L2: a session needs its cookie and its proof. Cookies of an address go to every port of it, so another program on
 *     this machine can get the cookie; the proof is kept by the page, and pages of another port cannot read it.
 * L3: a session may what its token may, and ends when that is revoked.
 */
export class Sessions {
  private readonly access: Pick<Access, 'identifyHash'>;
  private readonly nowMs: () => number;
  private readonly links = new Map<string, Link>();
  private readonly sessions = new Map<string, Session>();
  private readonly watchers = new Set<() => void>();

  constructor(access: Pick<Access, 'identifyHash'>, nowMs: () => number) {
    this.access = access;
    this.nowMs = nowMs;
  }

  /** `token` is the hash of the one it stands for. */
  link(token: string): { code: string; seconds: number } {
    const code = secret();
    makeRoom(this.links, LINKS_MAX, this.nowMs());
    this.links.set(hashOf(code), { token, untilMs: this.nowMs() + LINK_MS_MAX });
    return { code, seconds: LINK_MS_MAX / 1_000 };
  }

  /** Undefined when the code is unknown, used or too old. */
  begin(code: string): { session: string; proof: string; seconds: number } | undefined {
    const hash = hashOf(code);
    const link = this.links.get(hash);
    this.links.delete(hash);
    if (!link || link.untilMs <= this.nowMs() || !this.access.identifyHash(link.token)) return undefined;
    const [session, proof] = [secret(), secret()];
    makeRoom(this.sessions, SESSIONS_MAX, this.nowMs());
    const untilMs = this.nowMs() + SESSION_MS_MAX;
    this.sessions.set(hashOf(session), { token: link.token, proof: hashOf(proof), untilMs });
    return { session, proof, seconds: SESSION_MS_MAX / 1_000 };
  }

  identify(session: string, proof: string): Identity | undefined {
    const found = this.sessions.get(hashOf(session));
    if (!found || found.untilMs <= this.nowMs() || found.proof !== hashOf(proof)) return undefined;
    return this.access.identifyHash(found.token);
  }

  end(session: string): void {
    this.sessions.delete(hashOf(session));
    for (const call of this.watchers) call();
  }

  /** Called when a session was ended. */
  onChange(call: () => void): () => void {
    this.watchers.add(call);
    return () => this.watchers.delete(call);
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

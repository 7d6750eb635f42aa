import type { Role } from './role.js';

/** A token as it is kept: whoever has the log does not have the token. `agent`: it acts for this agent. */
export type KeptToken = {
  name: string;
  role: Role;
  sha256: string;
  agent: string | null;
  madeAt: string;
  /** Absent: until it is revoked. */
  expiresAt?: string;
};

export const TOKENS_MAX = 1_000;

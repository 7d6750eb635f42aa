import type { TokenOrderBody } from '../generated/types/token-order.js';

export type Token = Pick<TokenOrderBody, 'name' | 'role'> & {
  agent: string | null;
  created_at: string;
  expires_at: string | null;
};

/** The token itself is told this once, with what was ordered. */
export type NewToken = TokenOrderBody & { token: string };

/** Whose token it is, and what may be done with it. */
export type Whoami = Pick<Token, 'name' | 'role' | 'agent'> & { version: string; may: readonly string[] };

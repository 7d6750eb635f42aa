import type { Details, ErrorCode } from './errors.js';

/** What every validator answers. Allowed is exactly `allow: true`; everything else is a refusal. */
export type Verdict = Allowed | Denial;
export type Allowed = { allow: true; code: 'OK'; reason: string; details?: Details };
export type Denial = { allow: false; code: ErrorCode; reason: string; details?: Details };

export function allow(): Allowed {
  return { allow: true, code: 'OK', reason: 'the payload is valid' };
}

export function deny(code: ErrorCode, reason: string, details?: Details): Denial {
  return { allow: false, code, reason, ...(details && { details }) };
}

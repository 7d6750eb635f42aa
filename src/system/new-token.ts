import { randomBytes } from 'node:crypto';

/** Known by its beginning, so that a leaked one is found. */
export function newToken(): string {
  return `baton_${randomBytes(32).toString('base64url')}`;
}

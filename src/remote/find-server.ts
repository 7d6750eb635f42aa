import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BatonError } from '../contracts/shared/errors.js';
import { isAlive, localToken, readServerFile } from '../settings/server-file.js';

/** A server to work through. `own`: it serves the home of this machine. */
export type Reached = { url: string; token: string; own: boolean };
type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const ANSWER_MS_MAX = 2_000;

/** Folders here are folders there. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}

/** The one that BATON_URL names; undefined when it names none. */
export function namedServer(env: Environment): Reached | undefined {
  const { BATON_URL: said, BATON_TOKEN: token } = env;
  if (!said) return undefined;
  const url = URL.canParse(said) ? new URL(said) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new BatonError('USAGE', `BATON_URL is no address: ${said}`);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new BatonError('USAGE', `BATON_URL would send the token in clear to ${url.host}: use https`);
  }
  if (!token) throw new BatonError('USAGE', 'BATON_URL is set, but BATON_TOKEN is not: who are you there?');
  return { url: url.origin, token, own: false };
}

/**
 * The one that serves this home, if it lives. What another program may have taken is its port, so it must show that it
 * knows the token before it is told.
 */
export async function ownServer(home: string): Promise<Reached | undefined> {
  const server = await readServerFile(home);
  if (!server || !isAlive(server.pid)) return undefined;
  const token = await localToken(home);
  return (await knows(server.url, token)) ? { url: server.url, token, own: true } : undefined;
}

async function knows(url: string, token: string): Promise<boolean> {
  const challenge = randomBytes(16).toString('hex');
  const expected = createHmac('sha256', token).update(challenge).digest();
  try {
    const answer = await fetch(`${url}/healthz?challenge=${challenge}`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const { proof } = (await answer.json()) as { proof?: unknown };
    const shown = Buffer.from(String(proof), 'hex');
    return shown.length === expected.length && timingSafeEqual(shown, expected);
  } catch {
    return false; // it ends, or is another program
  }
}

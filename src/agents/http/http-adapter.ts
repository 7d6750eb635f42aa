import type { AskOutcome } from '../../engine/ports.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { HttpSpec } from '../agent-spec.js';
import { retryAfterMs } from '../proxy/retry-after.js';
import { failureOfStatus, serviceFailed } from '../service-failure.js';
import { type Posted, postSafely } from './post-safely.js';

export type HttpOptions = { environment: Readonly<Record<string, string | undefined>> };

const REASON_LENGTH_MAX = 500;

/** Posts the request and takes the body of what comes back as the answer. It goes where it was told to, and nowhere else. */
export function httpAdapter(spec: HttpSpec, { environment }: HttpOptions): Adapter {
  return async ({ run }, { key, attempt }, body, signal) => {
    const headers = headersOf(spec, environment);
    if ('missing' in headers) return failed('auth', `${headers.missing} is not set`);
    const url = new URL(spec.url);
    try {
      const sent = { ...headers, 'x-baton-handoff': `${run}/${key}/${attempt}` };
      const posted = await postSafely(url, { headers: sent, body, allowPrivate: spec.allowPrivate, signal });
      if (posted) return outcomeOf(posted);
      return failed('refused', `${url.hostname} is a private address; register the agent with --allow-private`);
    } catch (failure) {
      return serviceFailed(failure, signal);
    }
  };
}

/** Values come from the environment at the time: they are neither registered nor stored. */
export function headersOf(
  { headerEnv }: Pick<HttpSpec, 'headerEnv'>,
  environment: HttpOptions['environment'],
): Record<string, string> | { missing: string } {
  const found: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  for (const [header, name] of Object.entries(headerEnv)) {
    const value = environment[name];
    if (!value) return { missing: name };
    found[header.toLowerCase()] = value;
  }
  return found;
}

function outcomeOf({ status, headers, body }: Posted): AskOutcome {
  const text = body.toString('utf8');
  if (status >= 200 && status < 300) return answered(text);
  if (status >= 300 && status < 400)
    return failed('refused', `the service answered ${status}: nobody is sent elsewhere`);
  const waitMs = retryAfterMs({ headers }, Date.now());
  return failed(failureOfStatus(status), `${status} ${text.slice(0, REASON_LENGTH_MAX)}`, waitMs);
}

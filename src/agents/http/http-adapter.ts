import { lookup } from 'node:dns/promises';
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AskOutcome } from '../../engine/ports.js';
import { isPublicAddress } from '../../sandbox/relay/public-address.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { HttpSpec } from '../agent-spec.js';
import { retryAfterMs } from '../proxy/retry-after.js';
import { failureOfStatus, serviceFailed } from '../service-failure.js';

export type HttpOptions = { environment: Readonly<Record<string, string | undefined>> };

const ANSWER_BYTES_MAX = 2 * 1024 * 1024;
const REASON_LENGTH_MAX = 500;

/** Posts the request and takes the body of what comes back as the answer. It goes where it was told to, and nowhere else. */
export function httpAdapter(spec: HttpSpec, { environment }: HttpOptions): Adapter {
  return async ({ run }, { key, attempt }, body, signal) => {
    const headers = headersOf(spec, environment);
    if ('missing' in headers) return failed('auth', `${headers.missing} is not set`);
    const url = new URL(spec.url);
    try {
      const address = await addressOf(url.hostname, spec.allowPrivate);
      if (address === undefined) {
        return failed('refused', `${url.hostname} is a private address; register the agent with --allow-private`);
      }
      return await post(url, address, { ...headers, 'x-baton-handoff': `${run}/${key}/${attempt}` }, body, signal);
    } catch (failure) {
      return serviceFailed(failure, signal);
    }
  };
}

/** Values come from the environment at the time: they are neither registered nor stored. */
function headersOf(
  { headerEnv }: HttpSpec,
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

/** Looked up once and then used: a name that means another machine a moment later does not lead there. */
async function addressOf(name: string, allowPrivate: boolean): Promise<string | undefined> {
  const plain = name.replace(/^\[|\]$/g, '');
  const found = isIP(plain) ? [{ address: plain }] : await lookup(plain, { all: true });
  const usable = allowPrivate ? found : found.filter(({ address }) => isPublicAddress(address));
  return usable.length === found.length ? usable[0]?.address : undefined;
}

function post(
  url: URL,
  address: string,
  headers: Record<string, string>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<AskOutcome> {
  const family = isIP(address);
  const fixed = ((_name, options, call) => {
    if (options.all) call(null, [{ address, family }]);
    else call(null, address, family);
  }) as LookupFunction;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, { method: 'POST', headers, signal, lookup: fixed, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES_MAX) sent.destroy(new Error(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () => resolve(outcomeOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function outcomeOf(status: number, headers: IncomingHttpHeaders, body: Buffer): AskOutcome {
  const text = body.toString('utf8');
  if (status >= 200 && status < 300) return answered(text);
  if (status >= 300 && status < 400)
    return failed('refused', `the service answered ${status}: nobody is sent elsewhere`);
  const waitMs = retryAfterMs({ headers }, Date.now());
  return failed(failureOfStatus(status), `${status} ${text.slice(0, REASON_LENGTH_MAX)}`, waitMs);
}

import { lookup } from 'node:dns/promises';
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../sandbox/relay/public-address.js';

export type Posted = { status: number; headers: IncomingHttpHeaders; body: Buffer };
type Post = { headers: Record<string, string>; body: string | Uint8Array; allowPrivate: boolean; signal: AbortSignal };

const ANSWER_BYTES_MAX = 2 * 1024 * 1024;

/** Posts to where it was told to, and nowhere else. Undefined when that is a private address and must not be one. */
export async function postSafely(url: URL, { allowPrivate, ...post }: Post): Promise<Posted | undefined> {
  const address = await addressOf(url.hostname, allowPrivate);
  return address === undefined ? undefined : postTo(address, url, post);
}

/** Looked up once and then used: a name that means another machine a moment later does not lead there. */
export async function addressOf(name: string, allowPrivate: boolean): Promise<string | undefined> {
  const plain = name.replace(/^\[|\]$/g, '');
  const found = isIP(plain) ? [{ address: plain }] : await lookup(plain, { all: true });
  const usable = allowPrivate ? found : found.filter(({ address }) => isPublicAddress(address));
  return usable.length === found.length ? usable[0]?.address : undefined;
}

/** Whatever the name, this is where it leads. */
export function alwaysAt(address: string): LookupFunction {
  const family = isIP(address);
  return ((_name, options, call) => {
    if (options.all) call(null, [{ address, family }]);
    else call(null, address, family);
  }) as LookupFunction;
}

function postTo(address: string, url: URL, { headers, body, signal }: Omit<Post, 'allowPrivate'>): Promise<Posted> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, { method: 'POST', headers, signal, lookup: alwaysAt(address), agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES_MAX) sent.destroy(new Error(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable, Transform } from 'node:stream';
import { addressOf, alwaysAt } from '../../agents/http/post-safely.js';
import { stop } from '../tool.js';
import { refusePrivate } from './http-tool.js';
import type { HttpTool } from './tool-spec.js';

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const WITHOUT_BODY = new Set([204, 205, 304]);

/** A fetch that reaches one service, at an address that was looked at, and follows nobody elsewhere. */
export function fetchSafely({ name, url: only, allowPrivate }: Pick<HttpTool, 'name' | 'url' | 'allowPrivate'>) {
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    if (url.origin !== only.origin) {
      return stop('ToolError', `${name} wants to be asked at ${url.origin}; nobody is sent elsewhere`, {
        recoverable: false,
      });
    }
    const address = await addressOf(url.hostname, allowPrivate);
    return address === undefined ? refusePrivate(name, url) : send(url, address, init);
  };
}

function send(url: URL, address: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const how = { method, headers: Object.fromEntries(new Headers(headers)), lookup: alwaysAt(address), agent: false };
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...how, ...(signal && { signal }) }, (response) => resolve(asResponse(response)));
    sent.once('error', reject);
    sent.end(typeof body === 'string' ? body : undefined);
  });
}

function asResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = message;
  const given = Object.entries(headers).flatMap(([name, value = '']) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  if (WITHOUT_BODY.has(status)) {
    message.resume();
    return new Response(null, { status, headers: given });
  }
  const body = Readable.toWeb(message.compose(bounded())) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers: given });
}

function bounded(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) done(new Error(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`));
      else done(null, chunk);
    },
  });
}

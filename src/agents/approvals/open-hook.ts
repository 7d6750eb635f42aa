import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fields, fields, objectOf } from '../cli/fields.js';

/** Where an agent asks before it does something. For one handoff; the token keeps others out. */
export type Hook = { url: string; port: number; token: string; close(): Promise<void> };

const BODY_BYTES_MAX = 16 * 1024 * 1024;

export async function openHook(answer: (event: Fields) => Promise<object>): Promise<Hook> {
  const token = `sk-baton${randomBytes(32).toString('hex')}`;
  const server = createServer(async (request, response) => {
    try {
      const allowed = request.method === 'POST' && shows(request, token);
      const body = allowed ? await bodyOf(request) : undefined;
      if (body === undefined) {
        response.writeHead(403).end();
        return;
      }
      const said = JSON.stringify(await answer(fields(objectOf(body))));
      response.writeHead(200, { 'content-type': 'application/json' }).end(said);
    } catch {
      // Who asks has gone, or cannot be answered now: it hears nothing that it could take for a yes.
      response.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}/`, port, token },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function shows({ headers }: IncomingMessage, token: string): boolean {
  const shown = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return shown.length === wanted.length && timingSafeEqual(shown, wanted);
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

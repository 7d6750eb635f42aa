import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

/** Addresses of pages. All are the same file, which knows what to show. */
const PAGES = [
  ...[
    '/',
    '/login',
    '/inbox',
    '/inbox/:item',
    '/runs',
    '/runs/:run',
    '/jobs',
    '/operator',
    '/operator/:run',
    '/envelopes',
    '/envelopes/:run',
    '/sessions',
    '/sessions/:run',
    '/bridges',
    '/bridges/:run',
    '/costs',
    '/audit',
    '/system',
  ],
];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** Nothing but what we serve ourselves, and nothing that stands in the page itself. */
const POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "font-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
  "trusted-types 'none'",
].join('; ');

/** The console as it was built, from memory: what lies on the disk later is not served. */
export function serveConsole(app: FastifyInstance, folder: string): void {
  const page = readFileSync(path.join(folder, 'index.html'));
  for (const url of PAGES) {
    app.get(url, { config: { verb: 'page' } }, async (_request, reply) =>
      reply.headers({ 'content-type': TYPES['.html'], 'content-security-policy': POLICY }).send(page),
    );
  }
  for (const name of readdirSync(path.join(folder, 'assets'))) {
    const bytes = readFileSync(path.join(folder, 'assets', name));
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    // Its name has the hash of what is in it.
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
    app.get(`/assets/${name}`, { config: { verb: 'page' } }, async (_request, reply) =>
      reply.headers(headers).send(bytes),
    );
  }
}

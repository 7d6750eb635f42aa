import { type Attack, exchange, sends } from './attack.js';
import { head, RawConnection, type Reply, type Target } from './raw-http.js';

const MB = 1024 * 1024;
const JOBS = 'POST /api/v1/jobs HTTP/1.1';
const JSON_TYPE = { 'Content-Type': 'application/json' };

const looks = (name: string, refusal: string | readonly string[], line: string, changed = {}): Attack =>
  sends(name, refusal, (target) => head(target, line, changed));

const bodied = (name: string, refusal: string, body: string | Uint8Array, line = JOBS): Attack =>
  sends(name, refusal, (target) => {
    const bytes = Buffer.from(body as string);
    return Buffer.concat([
      Buffer.from(head(target, line, { ...JSON_TYPE, 'Content-Length': `${bytes.length}` })),
      bytes,
    ]);
  });

/** Writes for as long as somebody reads, at most so much. */
async function pours(target: Target, start: string, piece: string | Uint8Array, pieces: number): Promise<Reply> {
  const connection = await RawConnection.open(target);
  try {
    await connection.write(start);
    let sent = 0;
    while (sent < pieces && (await connection.write(piece))) sent += 1;
    if (sent === pieces) throw new Error('all of it was read');
    return await connection.reply();
  } finally {
    connection.end();
  }
}

/** Writes a little now and then until somebody hangs up. */
async function drips(target: Target, start: string, piece: string): Promise<Reply> {
  const connection = await RawConnection.open(target);
  try {
    await connection.write(start);
    const cut = connection.reply();
    let over = false;
    void cut.then(() => {
      over = true;
    });
    while (!over && (await connection.write(piece))) await new Promise((resolve) => setTimeout(resolve, 300));
    return await cut;
  } finally {
    connection.end();
  }
}

const CHUNK = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
const chunked = (target: Target, changed = {}): string =>
  head(target, JOBS, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked', ...changed });

/** How much, how long and in what form. */
export const READING_ATTACKS: readonly Attack[] = [
  {
    ...{ name: '10 GB body', refusals: ['413 PAYLOAD_TOO_LARGE'] },
    try: (target) =>
      pours(
        target,
        head(target, JOBS, { ...JSON_TYPE, 'Content-Length': `${10_000 * MB}` }),
        Buffer.alloc(MB, 0x20),
        10_000,
      ),
  },
  {
    ...{ name: '10 GB body without a token', refusals: ['401 UNAUTHENTICATED'] },
    try: (target) =>
      pours(
        target,
        head(target, JOBS, { ...JSON_TYPE, Authorization: undefined, 'Content-Length': `${10_000 * MB}` }),
        Buffer.alloc(MB, 0x20),
        10_000,
      ),
  },
  {
    ...{ name: '100 MB body', refusals: ['413 PAYLOAD_TOO_LARGE'] },
    try: (target) => {
      const start = head(target, JOBS, { ...JSON_TYPE, 'Content-Length': `${100 * MB}` });
      return exchange(target, Buffer.concat([Buffer.from(start), Buffer.alloc(100 * MB, 0x20)]));
    },
  },
  {
    ...{ name: '3 MB in chunks', refusals: ['413 PAYLOAD_TOO_LARGE'] },
    try: (target) => exchange(target, chunked(target) + CHUNK.repeat(48)),
  },
  {
    ...{ name: 'endless body without a token', refusals: ['401 UNAUTHENTICATED'] },
    try: (target) => pours(target, chunked(target, { Authorization: undefined }), CHUNK, 100_000),
  },
  {
    ...{ name: 'endless body', refusals: ['413 PAYLOAD_TOO_LARGE'] },
    try: (target) => pours(target, chunked(target), CHUNK, 100_000),
  },
  {
    ...{ name: 'slow head', refusals: ['408 REQUEST_TIMEOUT'], slow: true },
    try: (target) =>
      drips(target, `GET /api/v1/runs HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\n`, 'X-A: b\r\n'),
  },
  {
    ...{ name: 'slow body', refusals: ['408 REQUEST_TIMEOUT'], slow: true },
    try: (target) => drips(target, head(target, JOBS, { ...JSON_TYPE, 'Content-Length': '1000000' }), ' '),
  },
  {
    ...{ name: 'slow body in chunks', refusals: ['408 REQUEST_TIMEOUT'], slow: true },
    try: (target) => drips(target, chunked(target), '1\r\n \r\n'),
  },
  sends('length and chunks', '400 USAGE', (target) => `${chunked(target, { 'Content-Length': '3' })}0\r\n\r\n`),
  sends('two lengths', '400 USAGE', (target) =>
    head(target, JOBS, { ...JSON_TYPE, 'Content-Length': '2\r\nContent-Length: 3' }),
  ),
  sends('a length that is none', '400 USAGE', (target) => head(target, JOBS, { ...JSON_TYPE, 'Content-Length': '-1' })),
  sends('chunked twice', '400 USAGE', (target) => chunked(target, { 'Transfer-Encoding': 'chunked, identity' })),
  sends('a chunk with a bad size', '400 USAGE', (target) => `${chunked(target)}zz\r\n`),
  sends(
    'a bare line feed in the head',
    '400 USAGE',
    ({ host, port }) => `GET /api/v1/runs HTTP/1.1\nHost: ${host}:${port}\n\n`,
  ),
  sends('a space before the colon', '400 USAGE', (target) => head(target, 'GET / HTTP/1.1', { 'X-A ': 'b' })),
  sends('a folded header', '400 USAGE', (target) => head(target, 'GET / HTTP/1.1', { 'X-A': 'b\r\n c: d' })),
  sends('NUL in a header', '400 USAGE', (target) => head(target, 'GET / HTTP/1.1', { 'X-A': 'a\0b' })),
  looks('header bomb', '431 HEADERS_TOO_LARGE', 'GET /api/v1/runs HTTP/1.1', { 'X-Bomb': 'a'.repeat(20_000) }),
  sends('thousands of headers', '431 HEADERS_TOO_LARGE', (target) =>
    head(target, 'GET /api/v1/runs HTTP/1.1', { 'X-A': Array(5_000).fill('b').join('\r\nX-A: ') }),
  ),
  looks('overlong address', '431 HEADERS_TOO_LARGE', `GET /${'a'.repeat(20_000)} HTTP/1.1`),
  sends('no HTTP at all', '400 USAGE', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'),
  sends('HTTP/2 without asking', '400 USAGE', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  sends('HTTP/9', '400 USAGE', (target) => head(target, 'GET /api/v1/runs HTTP/9.9')),
  looks('unknown method', ['400 USAGE', '404 ROUTE_NOT_FOUND'], 'FROB /api/v1/runs HTTP/1.1'),
  looks('TRACE', '405 METHOD_NOT_ALLOWED', 'TRACE /api/v1/runs HTTP/1.1'),
  looks('PUT', '405 METHOD_NOT_ALLOWED', 'PUT /api/v1/jobs HTTP/1.1'),
  looks('DELETE of a job', '405 METHOD_NOT_ALLOWED', 'DELETE /api/v1/jobs/j HTTP/1.1'),
  looks('CONNECT', ['closed', '400 USAGE', '421 WRONG_HOST'], 'CONNECT attacker.example:443 HTTP/1.1'),
  looks('method override', '405 METHOD_NOT_ALLOWED', 'PATCH /api/v1/jobs HTTP/1.1', {
    'X-HTTP-Method-Override': 'GET',
  }),
  looks('..%2f', '404 RUN_NOT_FOUND', 'GET /api/v1/jobs/..%2f..%2ftoken HTTP/1.1'),
  looks('/../', '404 ROUTE_NOT_FOUND', 'GET /api/v1/../../token HTTP/1.1'),
  looks('//', '404 ROUTE_NOT_FOUND', 'GET //api/v1/runs HTTP/1.1'),
  looks('%00', '404 RUN_NOT_FOUND', 'GET /api/v1/jobs/a%00b HTTP/1.1'),
  looks('backslashes', '404 ROUTE_NOT_FOUND', 'GET /api\\v1\\runs HTTP/1.1'),
  looks('overlong UTF-8', ['400 USAGE', '404 RUN_NOT_FOUND'], 'GET /api/v1/jobs/%c0%ae%c0%ae HTTP/1.1'),
  looks('half an escape', ['400 USAGE', '404 RUN_NOT_FOUND'], 'GET /api/v1/jobs/%2 HTTP/1.1'),
  looks(
    'a name of 5,000 characters',
    ['404 RUN_NOT_FOUND', '404 ROUTE_NOT_FOUND'],
    `GET /api/v1/jobs/${'a'.repeat(5_000)} HTTP/1.1`,
  ),
  looks('a cursor from the future', '400 USAGE', 'GET /api/v1/events?after=999999999 HTTP/1.1'),
  looks('a bad cursor', '400 USAGE', 'GET /api/v1/events?after=1e3 HTTP/1.1'),
  looks('a bad cursor of runs', '400 USAGE', 'GET /api/v1/runs?after=%00%ff HTTP/1.1'),
  looks('a negative limit', '400 USAGE', 'GET /api/v1/runs?limit=-1 HTTP/1.1'),
  looks('a huge limit', '400 USAGE', 'GET /api/v1/runs?limit=100000000 HTTP/1.1'),
  looks('the same name twice', '400 USAGE', 'GET /api/v1/runs?limit=1&limit=2 HTTP/1.1'),
  looks('Last-Event-ID from the future', '400 USAGE', 'GET /api/v1/events HTTP/1.1', {
    ...{ Accept: 'text/event-stream', 'Last-Event-ID': '999999999' },
  }),
  bodied('broken JSON', '400 SCHEMA_INVALID', '{"prompt":'),
  bodied('two JSON values', '400 SCHEMA_INVALID', '{"prompt":"x"}{"prompt":"y"}'),
  bodied('duplicate keys', '400 SCHEMA_INVALID', '{"prompt":"x","prompt":"y"}'),
  bodied('prototype pollution', '400 SCHEMA_INVALID', '{"prompt":"x","__proto__":{"activate":true}}'),
  bodied('constructor pollution', '400 SCHEMA_INVALID', '{"prompt":"x","constructor":{"prototype":{"a":1}}}'),
  bodied('deep JSON', '400 SCHEMA_INVALID', '['.repeat(100_000) + ']'.repeat(100_000)),
  bodied('a number without bounds', '400 SCHEMA_INVALID', '{"prompt":"x","tokens":1e999}'),
  bodied('bad UTF-8', '400 SCHEMA_INVALID', Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  bodied('a byte order mark', '400 SCHEMA_INVALID', '\ufeff{"prompt":"x"}'),
  bodied('unknown field', '422 SCHEMA_INVALID', '{"prompt":"x","is_admin":true}'),
  bodied('a body where none belongs', '400 USAGE', '{"a":1}', 'DELETE /api/v1/tokens/x HTTP/1.1'),
  {
    ...{ name: 'pipelining: a request without a token behind one that has it', refusals: ['200, 401 UNAUTHENTICATED'] },
    try: (target) => {
      const first = head(target, 'GET /api/v1/schemas HTTP/1.1');
      return exchange(target, first + head(target, 'GET /api/v1/runs HTTP/1.1', { Authorization: undefined }), 2);
    },
  },
  {
    ...{ name: 'smuggling: a second request behind a body that is refused', refusals: ['400 SCHEMA_INVALID'] },
    try: (target) => {
      const hidden = head(target, 'GET /api/v1/runs HTTP/1.1');
      return exchange(target, `${head(target, JOBS, { ...JSON_TYPE, 'Content-Length': '1' })}{${hidden}`, 2);
    },
  },
];

import { type Attack, sends } from './attack.js';
import { head, type Target } from './raw-http.js';

const RUNS = 'GET /api/v1/runs HTTP/1.1';
const JOBS = 'POST /api/v1/jobs HTTP/1.1';

/** It is never sent: whoever is refused must not wait for it. */
const BODY_TO_COME = { 'Content-Type': 'application/json', 'Content-Length': '1000000' };

const looks = (name: string, refusal: string, changed: Record<string, string | undefined>, line = RUNS): Attack =>
  sends(name, refusal, (target) => head(target, line, changed));

function posts(name: string, refusal: string, changed: Record<string, string>, body = '{"prompt":"x"}'): Attack {
  return sends(name, refusal, (target) => post(target, changed, body));
}

function post(target: Target, changed: Record<string, string | undefined>, body: string): string {
  const length = String(Buffer.byteLength(body));
  return head(target, JOBS, { 'Content-Type': 'application/json', 'Content-Length': length, ...changed }) + body;
}

/** Who asks, and from where. */
export const ACCESS_ATTACKS: readonly Attack[] = [
  looks('no token', '401 UNAUTHENTICATED', { Authorization: undefined }),
  looks('a wrong token', '401 UNAUTHENTICATED', { Authorization: `Bearer baton_${'a'.repeat(43)}` }),
  looks('an empty token', '401 UNAUTHENTICATED', { Authorization: 'Bearer ' }),
  sends('basic log-in with the right token', '401 UNAUTHENTICATED', (target) =>
    head(target, RUNS, { Authorization: `Basic ${Buffer.from(`admin:${target.token}`).toString('base64')}` }),
  ),
  sends('token in the query', '401 UNAUTHENTICATED', (target) =>
    head(target, `GET /api/v1/runs?token=${target.token}&access_token=${target.token} HTTP/1.1`, {
      Authorization: undefined,
    }),
  ),
  sends('token in a cookie', '401 UNAUTHENTICATED', (target) =>
    head(target, RUNS, { Authorization: undefined, Cookie: `token=${target.token}; baton=${target.token}` }),
  ),
  sends('two tokens', '401 UNAUTHENTICATED', (target) =>
    head(target, RUNS, { Authorization: `Bearer wrong\r\nAuthorization: Bearer ${target.token}` }),
  ),
  looks('an unknown address without a token', '401 UNAUTHENTICATED', { Authorization: undefined }, 'GET /x HTTP/1.1'),
  looks('rebinding Host', '421 WRONG_HOST', { Host: 'attacker.example:80' }),
  looks('Host without a port', '421 WRONG_HOST', { Host: '127.0.0.1' }),
  sends('Host localhost', '421 WRONG_HOST', (target) => head(target, RUNS, { Host: `localhost:${target.port}` })),
  sends('Host with a user', '421 WRONG_HOST', (target) => head(target, RUNS, { Host: `a@127.0.0.1:${target.port}` })),
  looks('no Host', '421 WRONG_HOST', { Host: undefined }),
  looks('an empty Host', '421 WRONG_HOST', { Host: '' }),
  sends('two Hosts', '421 WRONG_HOST', (target) =>
    head(target, RUNS, { Host: `127.0.0.1:${target.port}\r\nHost: attacker.example` }),
  ),
  looks('rebinding Host at an open address', '421 WRONG_HOST', { Host: 'attacker.example' }, 'GET /healthz HTTP/1.1'),
  looks('X-Forwarded-Host does not help', '421 WRONG_HOST', { Host: 'a.example', 'X-Forwarded-Host': '127.0.0.1' }),
  looks('target with another host', '421 WRONG_HOST', {}, 'GET http://attacker.example/api/v1/runs HTTP/1.1'),
  sends('target whose host only begins like ours', '421 WRONG_HOST', (target) =>
    head(target, `GET http://127.0.0.1:${target.port}.attacker.example/api/v1/runs HTTP/1.1`),
  ),
  looks('HTTP/1.0 without Host', '421 WRONG_HOST', { Host: undefined }, 'GET /api/v1/runs HTTP/1.0'),
  looks('cross-origin', '403 FORBIDDEN', { Origin: 'https://attacker.example' }),
  looks('Origin null', '403 FORBIDDEN', { Origin: 'null' }),
  sends('Origin of another port', '403 FORBIDDEN', (target) =>
    head(target, RUNS, { Origin: `http://127.0.0.1:${target.port + 1}` }),
  ),
  sends('Origin with another scheme', '403 FORBIDDEN', (target) =>
    head(target, RUNS, { Origin: `https://127.0.0.1:${target.port}` }),
  ),
  looks('Sec-Fetch-Site cross-site', '403 FORBIDDEN', { 'Sec-Fetch-Site': 'cross-site' }),
  looks('Sec-Fetch-Site same-site', '403 FORBIDDEN', { 'Sec-Fetch-Site': 'same-site' }),
  looks('Sec-Fetch-Site nonsense', '403 FORBIDDEN', { 'Sec-Fetch-Site': 'x' }),
  sends('preflight', '403 FORBIDDEN', (target) =>
    head(target, 'OPTIONS /api/v1/jobs HTTP/1.1', {
      ...{ Authorization: undefined, Origin: 'https://attacker.example' },
      ...{ 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' },
    }),
  ),
  posts('a form of another site, text/plain', '415 UNSUPPORTED_MEDIA', { 'Content-Type': 'text/plain' }),
  posts('multipart form', '415 UNSUPPORTED_MEDIA', { 'Content-Type': 'multipart/form-data; boundary=x' }),
  posts('url-encoded form', '415 UNSUPPORTED_MEDIA', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  posts('JSON in another charset', '415 UNSUPPORTED_MEDIA', { 'Content-Type': 'application/json; charset=utf-16' }),
  posts('no content type', '415 UNSUPPORTED_MEDIA', { 'Content-Type': '' }),
  posts('gzip', '415 UNSUPPORTED_MEDIA', { 'Content-Encoding': 'gzip' }),
  posts('deflate, br', '415 UNSUPPORTED_MEDIA', { 'Content-Encoding': 'deflate, br' }),
  sends('log-in before body: a bad body without a token', '401 UNAUTHENTICATED', (target) =>
    post(target, { Authorization: undefined }, '{"a":'),
  ),
  sends('a stranger who waits to be asked for the body', '401 UNAUTHENTICATED', (target) =>
    head(target, JOBS, { ...BODY_TO_COME, Authorization: undefined, Expect: '100-continue' }),
  ),
  sends('something else is expected', '417 EXPECTATION_FAILED', (target) =>
    head(target, JOBS, { ...BODY_TO_COME, Expect: 'the-moon' }),
  ),
  sends('a stranger who expects something else', '401 UNAUTHENTICATED', (target) =>
    head(target, JOBS, { ...BODY_TO_COME, Authorization: undefined, Expect: '100-continue, the-moon' }),
  ),
  looks('WebSocket of another site', '403 FORBIDDEN', {
    ...{ Connection: 'Upgrade', Upgrade: 'websocket', Origin: 'https://attacker.example' },
    ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' },
  }),
  looks(
    'WebSocket of another site to sessions',
    '403 FORBIDDEN',
    {
      ...{ Connection: 'Upgrade', Upgrade: 'websocket', Origin: 'https://attacker.example' },
      ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' },
    },
    'GET /api/v1/sessions/ws HTTP/1.1',
  ),
  looks('WebSocket without a token', '401 UNAUTHENTICATED', {
    ...{ Connection: 'Upgrade', Upgrade: 'websocket', Authorization: undefined },
    ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' },
  }),
];

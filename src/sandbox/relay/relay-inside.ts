import type { Network } from '../sandbox.js';

/** Where the inner side finds its program and the socket that leads out. */
const NODE = '/run/baton/node';
const SOCKET = '/run/baton/relay';
const PROXY_PORT = 3128;
const LISTENING = 'relay';

/** First line of every connection through the socket. */
export const FORWARD = 'forward';
export const PROXY = 'proxy';

export type InnerRelay = {
  mounts: readonly string[];
  env: Readonly<Record<string, string>>;
  lines: readonly string[];
  signs: readonly string[];
};

/**
 * A process inside that listens on loopback and passes every connection on through a Unix socket, with a line that says
 * where it came in. It decides nothing: whoever talks to the socket directly gets no further.
 */
export function relayInside({ socket, ports, hosts }: Extract<Network, { type: 'relay' }>): InnerRelay {
  let proxyPort = PROXY_PORT;
  while (ports.includes(proxyPort)) proxyPort += 1;
  const listeners = ports.map((port) => [port, `${FORWARD} ${port}`] as const);
  const proxy = hosts === 'through-proxy' ? ([[proxyPort, PROXY]] as const) : [];
  const order = JSON.stringify([...listeners, ...proxy]);
  return {
    mounts: ['--ro-bind', process.execPath, NODE, '--ro-bind', socket, SOCKET],
    env: hosts === 'through-proxy' ? proxyEnvironment(proxyPort) : {},
    // In brackets, so that it is not a child of the command, which may wait for all it has.
    lines: [`(NODE_OPTIONS= ${NODE} -e ${quoted(PROGRAM)} ${quoted(order)} </dev/null >&3 2>/dev/null &)`],
    signs: [LISTENING],
  };
}

export function proxyEnvironment(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const local = 'localhost,127.0.0.1,::1';
  return {
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: local },
    ...{ http_proxy: proxy, https_proxy: proxy, no_proxy: local },
    NODE_USE_ENV_PROXY: '1',
  };
}

/** Plain JavaScript of any Node, because inside there is no other file of Baton. */
const PROGRAM = `
const net = require('node:net');
const listeners = JSON.parse(process.argv[1]);
let missing = listeners.length;
const done = () => { if (--missing <= 0) process.stdout.write('${LISTENING}\\n'); };
if (missing === 0) done();
for (const [port, word] of listeners) {
  net.createServer({ allowHalfOpen: true, noDelay: true }, (inner) => {
    const outer = net.connect({ path: '${SOCKET}', allowHalfOpen: true });
    outer.write(word + '\\n');
    inner.on('error', () => outer.destroy()).on('close', () => outer.end());
    outer.on('error', () => inner.destroy()).on('close', () => inner.end());
    inner.pipe(outer).pipe(inner);
  }).listen(port, '127.0.0.1', done);
}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

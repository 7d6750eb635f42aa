import { mkdtempSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Duplex, PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { COMMANDS } from '../../src/cli/catalogue.js';
import { findCommand, parseWords } from '../../src/cli/parse-command.js';
import type { WireEvent } from '../../src/engine/session/session-desk.js';
import { parseAddress } from '../../src/transports/address.js';
import { connectGrpc } from '../../src/transports/connect-grpc.js';
import { listen } from '../../src/transports/listen.js';
import { serveStdio } from '../../src/transports/stdio.js';
import { FakeDesk } from '../session/fake-desk.js';
import { hostOptions, TOKEN } from '../session/transports/ways-in.js';
import { filledIn, type Spoken, speak, TRANSPORT_EXAMPLES, type TransportExample } from './transport-examples.js';

const TITLES = ['Standard input and output', 'Unix socket', 'TCP', 'WebSocket', 'HTTP/2', 'gRPC'];

test('every transport of the protocol has an example, and its command can be called so', () => {
  expect([...TRANSPORT_EXAMPLES.keys()]).toEqual([...TITLES, 'WebSocket of a server', 'Routes of a server']);
  for (const { command } of TRANSPORT_EXAMPLES.values()) {
    const spec = findCommand(command, COMMANDS);
    expect(spec, command.join(' ')).toBeDefined();
    if (spec) parseWords(spec, command.slice(1));
  }
});

test.each(TITLES)('%s: the example is what happens', async (title) => {
  const example = filledIn(TRANSPORT_EXAMPLES.get(title) as TransportExample, TOKEN, '/somewhere');
  const pairs = await speak(example, await opened(example));
  expect(pairs.length).toBeGreaterThan(0);
  for (const [shown, came] of pairs) expect(came).toEqual(shown);
});

async function opened({ command, method, path: where, headers }: TransportExample): Promise<Spoken> {
  const options = hostOptions(new FakeDesk());
  const [, , given] = command;
  if (given === undefined) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    void serveStdio(options, input, output);
    return linesOver(input, output);
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'baton-example-'));
  const listening = await listen(given.replace('/run/user/1000', folder), options);
  onTestFinished(() => listening.close());
  const place = parseAddress(listening.address);
  const url = listening.address.replace(/^(h2|grpc):/, 'http:');
  switch (place.scheme) {
    case 'unix':
    case 'tcp': {
      const { path: file, host, port } = place as { path?: string; host?: string; port?: number };
      const socket = createConnection({ path: file, host, port } as never);
      return linesOver(socket, socket);
    }
    case 'h2': {
      const session = connectHttp2(url);
      const stream = session.request({ ':method': method, ':path': where, ...headers });
      onTestFinished(() => session.destroy());
      return linesOver(stream, stream);
    }
    case 'ws': {
      const socket = new WebSocket(`${listening.address}${where}`, { headers });
      await new Promise((resolve) => socket.once('open', resolve));
      const waiting = queue();
      socket.on('message', (data) => waiting.add(JSON.parse(String(data))));
      return { send: (text) => socket.send(text), next: waiting.next };
    }
    case 'grpc': {
      expect([method, where]).toEqual(['POST', '/baton.v1.Session/Connect']);
      const client = await connectGrpc(place, headers.authorization?.replace('Bearer ', ''));
      const events = client.events[Symbol.asyncIterator]();
      return { send: (text) => void client.sendLine(text), next: async () => (await events.next()).value };
    }
  }
}

function linesOver(output: PassThrough | Duplex, input: PassThrough | Duplex): Spoken {
  const waiting = queue();
  createInterface({ input }).on('line', (line) => waiting.add(JSON.parse(line)));
  return { send: (text) => void output.write(`${text}\n`), next: waiting.next };
}

function queue() {
  const came: WireEvent[] = [];
  const asked: ((event: WireEvent) => void)[] = [];
  return {
    add(event: WireEvent): void {
      const ask = asked.shift();
      if (ask) ask(event);
      else came.push(event);
    },
    next(): Promise<WireEvent> {
      const event = came.shift();
      return event ? Promise.resolve(event) : new Promise((resolve) => asked.push(resolve));
    },
  };
}

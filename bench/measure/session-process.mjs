// Serves sessions and raw echoes over every transport, in a process of its own. Says its addresses to whoever started
// it; with `stdio` it speaks on its standard input and output instead.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer as createH2 } from 'node:http2';
import { createServer } from 'node:net';
import path from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { WebSocketServer } from 'ws';
import { startModel } from './scripted-model.mjs';

const [module, folder, kind, stdio] = process.argv.slice(2);
const isDurable = kind !== 'memory';
const { FakeDesk, listen, serveStdio, sessionService, openBaton } = await import(module);
const caller = { actor: 'bench', role: 'admin', agent: null, client: '', isLocal: true };
const options = { desk: await openDesk(), local: caller, authenticate: async () => caller };

/** What is durable is compared with an echo that writes as much and waits for the disk. */
const file = isDurable ? openSync(path.join(folder, `echo-${process.pid}`), 'a') : undefined;
const keep = (bytes) => {
  if (file === undefined) return;
  writeSync(file, bytes);
  fdatasyncSync(file);
};

if (stdio === 'session') await serveStdio(options, process.stdin, process.stdout);
else if (stdio === 'echo') echo(process.stdin, process.stdout);
else process.send({ session: await sessions(), echo: await echoes() });
process.on('exit', () => file !== undefined && closeSync(file));
process.on('disconnect', () => process.exit(0));

async function openDesk() {
  if (!isDurable) return new FakeDesk();
  const home = path.join(folder, `home-${process.pid}`);
  const env = { OPENAI_BASE_URL: `${await startModel(module, 'Nothing.')}/v1`, OPENAI_API_KEY: 'bench' };
  const writer = stdio === undefined ? 'thread' : 'main';
  const baton = await openBaton({ home, env, cwd: folder, drives: true, writer });
  return baton.sessions;
}

async function sessions() {
  const at = async (address) => (await listen(address, options)).address;
  return {
    unix: await at(`unix:${path.join(folder, `${process.pid}.sock`)}`),
    tcp: await at('tcp://127.0.0.1:0'),
    ws: await at('ws://127.0.0.1:0'),
    h2: await at('h2://127.0.0.1:0'),
    grpc: await at('grpc://127.0.0.1:0'),
  };
}

async function echoes() {
  const unix = path.join(folder, `${process.pid}-echo.sock`);
  const sockets = () => createServer({ noDelay: true }, (socket) => echo(socket, socket));
  await listening(sockets(), unix);
  const tcp = await listening(sockets(), 0);
  const ws = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  ws.on('connection', (socket) => {
    socket.on('message', (data) => {
      keep(data);
      socket.send(data.toString());
    });
  });
  await new Promise((resolve) => ws.once('listening', resolve));
  const h2 = createH2();
  h2.on('stream', (stream) => {
    stream.respond({ ':status': 200 });
    echo(stream, stream);
  });
  const addresses = { unix: `unix:${unix}`, tcp: `tcp://127.0.0.1:${tcp}` };
  const more = { ws: `ws://127.0.0.1:${ws.address().port}`, h2: `h2://127.0.0.1:${await listening(h2, 0)}` };
  return { ...addresses, ...more, grpc: `grpc://127.0.0.1:${await grpcEcho()}` };
}

async function grpcEcho() {
  const server = new Server();
  const Connect = (call) => {
    call.on('data', ({ id, op }) => {
      keep(op);
      call.write({ id, msg: op });
    });
    call.on('error', () => {});
  };
  server.addService(await sessionService(), { Connect });
  return new Promise((resolve, reject) => {
    const tell = (failure, port) => (failure ? reject(failure) : resolve(port));
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), tell);
  });
}

function echo(input, output) {
  input.on('error', () => {});
  input.on('data', (bytes) => {
    keep(bytes);
    output.write(bytes);
  });
}

function listening(server, where) {
  return new Promise((resolve) => {
    const done = () => resolve(server.address()?.port);
    if (typeof where === 'string') server.listen(where, done);
    else server.listen(where, '127.0.0.1', done);
  });
}

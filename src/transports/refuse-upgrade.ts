import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type BatonError, ERRORS } from '../contracts/shared/errors.js';

/** Says over HTTP why no WebSocket is opened. */
export function refuseUpgrade(socket: Duplex, problem: BatonError): void {
  const { http } = ERRORS[problem.code];
  const body = JSON.stringify(problem.toObject());
  const head = [
    `HTTP/1.1 ${http} ${STATUS_CODES[http]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

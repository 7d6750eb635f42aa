import type { Socket } from 'node:net';
import { BatonError } from '../contracts/shared/errors.js';
import { problemOf } from './http-problem.js';

/** What cannot be read as a request at all is answered too, so that its sender knows why. */
export function clientErrorReply(failure: NodeJS.ErrnoException, socket: Socket): void {
  if (failure.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy(failure);
    return;
  }
  const { status, error } = problemOf(errorOf(failure.code ?? ''));
  const body = JSON.stringify(error.toObject());
  const head = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  socket.end(`HTTP/1.1 ${status} ${error.code}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

function errorOf(code: string): BatonError {
  if (code === 'HPE_HEADER_OVERFLOW') return new BatonError('HEADERS_TOO_LARGE', 'the headers are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new BatonError('REQUEST_TIMEOUT', 'the request took too long');
  return new BatonError('USAGE', `this is no HTTP request (${code})`);
}

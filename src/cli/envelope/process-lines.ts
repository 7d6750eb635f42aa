import { toldError } from '../../contracts/envelope/told-error.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import { BatonError, ERRORS, isBatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX, readJson } from '../../contracts/shared/read-json.js';
import { inOrder } from '../../engine/envelope/in-order.js';
import type { Io } from '../io.js';
import { printableJson } from '../printable.js';
import { linePayloads, type Payload } from '../validate/payloads.js';
import { readInput } from '../validate/read-input.js';
import { envelopeExit, worstExit } from './envelope-exit.js';

type Line = { text: string; code: number };

/** One envelope a line in, one a line out, in the same order. A line that is refused does not hold up the others. */
export async function processLines(
  io: Io,
  file: string,
  handle: (input: unknown) => Promise<Envelope>,
): Promise<number> {
  const codes = new Set<number>();
  const payloads = linePayloads(readInput(file, io), BYTES_MAX);
  for await (const { text, code } of inOrder(payloads, (payload) => lineOf(payload, handle))) {
    codes.add(code);
    io.out(`${text}\n`);
  }
  return worstExit(codes);
}

async function lineOf(payload: Payload, handle: (input: unknown) => Promise<Envelope>): Promise<Line> {
  try {
    const envelope = await handle(valueIn(payload));
    return { text: printableJson(envelope), code: envelopeExit(envelope) };
  } catch (failure) {
    if (!isBatonError(failure)) throw failure;
    const said = { ...toldError(failure), line: payload.line };
    return { text: printableJson(said), code: ERRORS[failure.code].exit };
  }
}

function valueIn(payload: Payload): unknown {
  const read = 'denial' in payload ? payload : readJson(payload.bytes);
  if ('value' in read) return read.value;
  const { code, reason, details } = read.denial;
  throw new BatonError(code, reason, details);
}

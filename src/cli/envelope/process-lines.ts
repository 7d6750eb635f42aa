import { envelopeRefusal } from '../../contracts/envelope/envelope-refusal.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import { BatonError, ERRORS, isBatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX, readJson } from '../../contracts/shared/read-json.js';
import type { Io } from '../io.js';
import { printableJson } from '../printable.js';
import { linePayloads, type Payload } from '../validate/payloads.js';
import { readInput } from '../validate/read-input.js';
import { envelopeExit, worstExit } from './envelope-exit.js';

/** So many are at work at once; what is read ahead is no more than that. */
const AT_ONCE = 16;
type Line = { text: string; code: number };

/** One envelope a line in, one a line out, in the same order. A line that is refused does not hold up the others. */
export async function processLines(
  io: Io,
  file: string,
  handle: (input: unknown) => Promise<Envelope>,
): Promise<number> {
  const codes = new Set<number>();
  const pending: Promise<Line>[] = [];
  const tell = async (): Promise<void> => {
    const line = await pending.shift();
    if (!line) return;
    codes.add(line.code);
    io.out(`${line.text}\n`);
  };
  for await (const payload of linePayloads(readInput(file, io), BYTES_MAX)) {
    pending.push(lineOf(payload, handle));
    if (pending.length >= AT_ONCE) await tell();
  }
  while (pending.length > 0) await tell();
  return worstExit(codes);
}

async function lineOf(payload: Payload, handle: (input: unknown) => Promise<Envelope>): Promise<Line> {
  try {
    const envelope = await handle(valueIn(payload));
    return { text: printableJson(envelope), code: envelopeExit(envelope) };
  } catch (failure) {
    if (!isBatonError(failure)) throw failure;
    const said = { ...envelopeRefusal(failure), line: payload.line };
    return { text: printableJson(said), code: ERRORS[failure.code].exit };
  }
}

function valueIn(payload: Payload): unknown {
  const read = 'denial' in payload ? payload : readJson(payload.bytes);
  if ('value' in read) return read.value;
  const { code, reason, details } = read.denial;
  throw new BatonError(code, reason, details);
}

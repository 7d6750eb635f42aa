import type { Submission } from '../../contracts/generated/types/submission.js';
import { submission as contract } from '../../contracts/session/submission.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError, isBatonError } from '../../contracts/shared/errors.js';
import { isObject } from '../../contracts/shared/is-object.js';
import { readJson } from '../../contracts/shared/read-json.js';

/** A message of a client, and what is kept of a line before it is known to be one. */
export const LINE_BYTES_MAX = 1024 * 1024;

/**
 * What a transport hands over: a line, a message whose id came beside its op, or why a line could not be kept.
 */
export type Incoming = string | Uint8Array | { id: string; op: string } | BatonError;

/** `id` is the message's own as far as it could be read, else empty: whatever is wrong is answered under it. */
export type ReadSubmission = { submission: Submission } | { id: string; problem: BatonError };

/** The one way in for messages of sessions. */
export function readSubmission(incoming: Incoming): ReadSubmission {
  if (isBatonError(incoming)) return { id: '', problem: incoming };
  const beside = typeof incoming === 'object' && 'op' in incoming;
  const read = readJson(beside ? incoming.op : (incoming as string | Uint8Array), LINE_BYTES_MAX);
  if ('denial' in read) {
    const { code, reason, details } = read.denial;
    return { id: beside ? incoming.id : '', problem: new BatonError(code, reason, details) };
  }
  const value = beside ? withId(incoming.id, read.value) : read.value;
  try {
    return { submission: parseContract(contract, value) };
  } catch (failure) {
    return { id: idIn(value), problem: failure as BatonError };
  }
}

/** An empty one is how such transports say that there is none. */
function withId(id: string, op: unknown): unknown {
  return id === '' ? { op } : { id, op };
}

function idIn(value: unknown): string {
  return isObject(value) && typeof value.id === 'string' ? value.id : '';
}

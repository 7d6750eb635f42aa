import type { Finding, SignedHead } from '../../contracts/api/audit-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { Clock } from '../ports.js';
import type { Signer } from './signer.js';
import type { KnownHead, Verification } from './verify-journal.js';

const HEAD_BYTES_MAX = 16 * 1024;
const COUNTS = ['position', 'batch', 'events', 'runs'] as const;
const TEXTS = ['hash', 'at', 'public_key', 'signature'] as const;

/** Only of a journal that was just verified: what is signed is worth believing. */
export async function signHead(verified: Verification, clock: Clock, signer: Signer): Promise<SignedHead> {
  if (!verified.ok) throw new Error('a broken journal is not signed');
  const { position, batches: batch, hash, events, runs } = verified;
  const at = new Date(clock.nowMs()).toISOString();
  const unsigned = { kind: 'baton-head', position, batch, hash, events, runs, at } as const;
  const { publicKey, signature } = await signer.sign((key) => signedText({ ...unsigned, public_key: key }));
  return { ...unsigned, public_key: publicKey, signature };
}

/** The text that is signed: a JSON array in this order, so that any language can make it again. */
function signedText(head: Omit<SignedHead, 'signature'>): string {
  const { kind, position, batch, hash, events, runs, at, public_key } = head;
  return JSON.stringify([kind, position, batch, hash, events, runs, at, public_key]);
}

export function readSignedHead(input: string | Uint8Array): SignedHead {
  const read = readJson(input, HEAD_BYTES_MAX);
  if ('denial' in read) throw new BatonError('HEAD_INVALID', `the head cannot be read: ${read.denial.reason}`);
  const head = read.value as SignedHead;
  if (typeof head !== 'object' || head === null || head.kind !== 'baton-head') {
    throw new BatonError('HEAD_INVALID', 'the file holds no signed head');
  }
  const wrong =
    COUNTS.find((name) => !Number.isSafeInteger(head[name]) || head[name] < 0) ??
    TEXTS.find((name) => typeof head[name] !== 'string');
  if (wrong) throw new BatonError('HEAD_INVALID', `the head has no usable ${wrong}`, { path: `/${wrong}` });
  return head;
}

/** Who signed it; a head that nobody or somebody else signed proves nothing about this journal. */
export async function judgeSignature(head: SignedHead, signer: Signer): Promise<Finding | undefined> {
  const { position, batch, public_key: key } = head;
  const told = { kind: 'head-not-signed', position, batch } as const;
  if (!signer.verify(signedText(head), head.signature, key)) {
    return { ...told, says: `the signature of the head at position ${position} is not valid` };
  }
  const own = await signer.publicKey();
  if (own === key) return undefined;
  const ours = own === undefined ? 'and this home has never signed one' : `not by this home's key ${own}`;
  return { ...told, says: `the head at position ${position} was signed by the key ${key}, ${ours}` };
}

export function knownHead({ batch, position, hash }: SignedHead): KnownHead {
  return { batch, position, hash };
}

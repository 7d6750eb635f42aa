import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Append, Hash, SealedBody } from '../../engine/ports.js';
import { COMPRESS_BYTES_MIN, type Codec, compress, decompress } from './body-codec.js';
import type { Connection } from './connection.js';
import { writeDurably } from './durable-file.js';

/** Up to this size a body is cheaper as a row than as a file. */
export const ROW_BYTES_MAX = 256 * 1_024;

/** `row` is null when the bytes lie in a file. */
export type StoredBody = { codec: Codec; size: number; row: Uint8Array | null };
export type StoredBodies = Map<Hash, StoredBody>;

type BodyTransaction = { connection: Connection; home: string };
type BlobRow = { bytes: Uint8Array | null; codec: string; size: number };

const INSERT_BODY = `INSERT INTO blob (sha256, bytes, codec, size) VALUES (?, ?, ?, ?)
  ON CONFLICT (sha256) DO NOTHING`;
const INSERT_REF = 'INSERT INTO blob_ref (run, sha256) VALUES (?, ?) ON CONFLICT (run, sha256) DO NOTHING';

/** Before the transaction: compresses what is new, and makes the large ones durable files. */
export function storeBodies(connection: Connection, home: string, group: readonly Append[]): StoredBodies {
  const stored: StoredBodies = new Map();
  for (const { bodies } of group) {
    for (const body of bodies) {
      if (isCheap(body) || stored.has(body.sha256) || isKnown(connection, body.sha256)) continue;
      stored.set(body.sha256, store(home, body));
    }
  }
  return stored;
}

/** Inside the transaction. A body that has gone since it was looked for is stored now. `run` is the run's id, if it has a row. */
export function writeBodies(
  { connection, home }: BodyTransaction,
  { bodies }: Append,
  run: number | undefined,
  stored: StoredBodies,
): void {
  for (const body of bodies) {
    const { sha256 } = body;
    if (isCheap(body) || !isKnown(connection, sha256)) {
      const { row, codec, size } = stored.get(sha256) ?? store(home, body);
      connection.run(INSERT_BODY, sha256, row, codec, size);
    }
    if (run !== undefined) connection.run(INSERT_REF, run, sha256);
  }
}

export function readBody(connection: Connection, home: string, sha256: Hash): Uint8Array | undefined {
  const blob = connection.get<BlobRow>('SELECT bytes, codec, size FROM blob WHERE sha256 = ?', sha256);
  if (!blob) return undefined;
  try {
    const bytes = decompress(blob.codec, blob.bytes ?? readFileSync(bodyFile(home, sha256)), blob.size);
    if (hashOf(bytes) === sha256) return bytes;
  } catch (failure) {
    throw damaged(home, sha256, failure);
  }
  throw damaged(home, sha256, 'its bytes are not those that were stored');
}

/** Then nothing is compressed and no file is made: writing it in vain costs less than looking for it. */
function isCheap({ bytes }: SealedBody): boolean {
  return bytes.length < COMPRESS_BYTES_MIN;
}

function isKnown(connection: Connection, sha256: Hash): boolean {
  return connection.get('SELECT 1 FROM blob WHERE sha256 = ?', sha256) !== undefined;
}

function store(home: string, { sha256, bytes }: SealedBody): StoredBody {
  if (hashOf(bytes) !== sha256) throw new BatonError('INTERNAL', `a body was named ${sha256} but has another hash`);
  const { codec, stored } = compress(bytes);
  if (bytes.length <= ROW_BYTES_MAX) return { codec, size: bytes.length, row: stored };
  writeDurably(bodyFile(home, sha256), stored);
  return { codec, size: bytes.length, row: null };
}

function bodyFile(home: string, sha256: Hash): string {
  return path.join(home, 'blobs', sha256.slice(0, 2), sha256);
}

function damaged(home: string, sha256: Hash, why: unknown): BatonError {
  const reason = why instanceof Error ? why.message : String(why);
  return new BatonError('STORE_DAMAGED', `the body ${sha256} cannot be read: ${reason}`, { home, sha256 });
}

function hashOf(bytes: Uint8Array): Hash {
  return hash('sha256', bytes, 'hex');
}

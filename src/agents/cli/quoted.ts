import { createHash } from 'node:crypto';
import { quotedData } from '../../engine/job/quoted-data.js';

const hasher = {
  sha256: (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex'),
};

/** What others have written, as data inside a prompt. */
export function quotedByHash(introduction: string, text: string): string {
  return quotedData(hasher, introduction, text);
}

import { TextDecoder } from 'node:util';
import { BatonError } from '../contracts/shared/errors.js';
import { refusePath } from '../contracts/shared/relative-path.js';
import { openInside } from '../sandbox/open-inside.js';

export const EVIDENCE_TEXT_BYTES_MAX = 2 * 1024 * 1024;

/** What a file of a workspace says now. Whatever an agent has made of it, only text of a bounded length leaves it. */
export async function readEvidenceText(workspace: string, file: string): Promise<string> {
  const denial = refusePath(file, 'path');
  if (denial !== true) throw new BatonError(denial.code, denial.reason, denial.details);
  const opened = await openInside(workspace, file);
  if (opened.type === 'refused') {
    throw new BatonError('PATH_REFUSED', `${JSON.stringify(file)} ${opened.because}`, { path: file });
  }
  if (opened.type === 'missing') {
    throw new BatonError('EVIDENCE_MISSING', `${JSON.stringify(file)} is not there any more`, { missing: [file] });
  }
  const { handle } = opened;
  try {
    // One byte more than may be: a file that grows meanwhile is too large as well.
    const bytes = Buffer.alloc(EVIDENCE_TEXT_BYTES_MAX + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = (await handle.read(bytes, length, bytes.length - length, length)).bytesRead;
    }
    if (length > EVIDENCE_TEXT_BYTES_MAX) {
      const details = { bytes_max: EVIDENCE_TEXT_BYTES_MAX };
      throw new BatonError('PAYLOAD_TOO_LARGE', `${file} is larger than is shown`, details);
    }
    return textOf(bytes.subarray(0, length), file);
  } finally {
    await handle.close();
  }
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // said below
  }
  throw new BatonError('UNSUPPORTED_MEDIA', `${JSON.stringify(file)} is no text`, { path: file });
}

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathProblem } from '../../contracts/shared/relative-path.js';
import { resourceOf, resourceProblem } from '../../contracts/shared/resource.js';
import { openInside } from '../../sandbox/open-inside.js';
import type { WorklogCopy } from '../workspace-record.js';
import { findOnDisk } from './find-on-disk.js';

/** Of the lines that an attempt adds. */
const ADDED_BYTES_MAX = 512 * 1024;

/** Lays the agent's copy of the worklog; what it holds then must still be there afterwards. */
export function layWorklog(workspace: string, name: string, begin: Uint8Array): WorklogCopy | { refused: string } {
  const odd = pathProblem(name) ?? resourceProblem(name);
  if (odd !== undefined) return { refused: `worklog_path ${odd}` };
  const found = findOnDisk(workspace, resourceOf(name));
  if ('refused' in found) return { refused: `worklog_path ${found.refused}` };
  if (found.facts?.isDirectory()) return { refused: `worklog_path ${name} is a folder` };
  const file = path.join(workspace, found.at);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, begin);
  return { path: found.at, bytes: begin.length, sha256: hashOf(begin) };
}

export type WorklogRead = { added: Buffer; warnings: string[] } | { problem: string };

/** What was added to it; or what was done to it that must not be. */
export async function readWorklog(workspace: string, copy: WorklogCopy): Promise<WorklogRead> {
  const opened = await openInside(workspace, copy.path);
  if (opened.type === 'refused') return { problem: `the worklog ${opened.because}` };
  if (opened.type === 'missing') return { problem: 'the worklog was removed' };
  const { handle } = opened;
  try {
    const content = Buffer.alloc(copy.bytes + ADDED_BYTES_MAX + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(content, length, content.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === content.length) break;
    }
    if (length < copy.bytes || hashOf(content.subarray(0, copy.bytes)) !== copy.sha256) {
      return { problem: 'earlier lines of the worklog were changed' };
    }
    const added = content.subarray(copy.bytes, Math.min(length, copy.bytes + ADDED_BYTES_MAX));
    const isCut = length === content.length;
    return { added, warnings: isCut ? [`of the worklog only ${ADDED_BYTES_MAX} bytes were kept`] : [] };
  } finally {
    await handle.close();
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

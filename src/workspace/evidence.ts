import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { pathProblem } from '../contracts/shared/relative-path.js';
import type { EvidenceFile, Reading } from '../core/job/job-deeds.js';
import type { Clock } from '../engine/ports.js';
import { openInside } from '../sandbox/open-inside.js';

export const EVIDENCE_FILES_MAX = 10_000;
const EVIDENCE_MS_MAX = 120_000;
const CHUNK_BYTES = 1024 * 1024;

export type Evidence = Pick<Reading, 'fault' | 'missing'> & { evidence: EvidenceFile[] };

type Limits = { clock: Pick<Clock, 'monotonicMs'>; signal: AbortSignal; msMax?: number };

/** Looks at every file an answer names. The first one that is refused decides; none is opened after it. */
export async function readEvidence(
  workspace: string,
  named: readonly string[],
  { clock, signal, msMax = EVIDENCE_MS_MAX }: Limits,
): Promise<Evidence> {
  const files = [...new Set(named.map(plainPath))];
  const nothing = { evidence: [], missing: [] };
  if (files.length > EVIDENCE_FILES_MAX) {
    const reason = `${files.length} evidence files are named; at most ${EVIDENCE_FILES_MAX} are looked at`;
    return { ...nothing, fault: { kind: 'schema', reason } };
  }
  const odd = named.find((file) => pathProblem(file) !== undefined);
  if (odd !== undefined) return { ...nothing, fault: refusal(odd, pathProblem(odd) ?? '') };

  const untilMs = clock.monotonicMs() + msMax;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const evidence: EvidenceFile[] = [];
  const missing: string[] = [];
  for (const path of files) {
    signal.throwIfAborted();
    const opened = await openInside(workspace, path);
    if (opened.type === 'refused') return { evidence, missing, fault: refusal(path, opened.because) };
    if (opened.type === 'missing') {
      missing.push(path);
      continue;
    }
    const { handle, stats } = opened;
    try {
      const hashed = await hash(handle, chunk, () => !signal.aborted && clock.monotonicMs() < untilMs);
      if (hashed) evidence.push({ path, modifiedAt: stats.mtime.toISOString(), ...hashed });
      else missing.push(path);
    } finally {
      await handle.close();
    }
  }
  return { evidence, missing, fault: missing.length > 0 ? absence(missing, files.length) : null };
}

/** `./a//b` and `a/b` are one file. */
function plainPath(path: string): string {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

function refusal(path: string, because: string): NonNullable<Reading['fault']> {
  return { kind: 'path', reason: `evidence ${JSON.stringify(path.slice(0, 200))} ${because}` };
}

function absence(missing: readonly string[], all: number): NonNullable<Reading['fault']> {
  const some = missing.slice(0, 5).join(', ').slice(0, 500);
  return { kind: 'evidence', reason: `${missing.length} of ${all} evidence files do not exist: ${some}` };
}

/** Undefined when time is up. */
async function hash(
  handle: FileHandle,
  chunk: Buffer,
  goOn: () => boolean,
): Promise<Pick<EvidenceFile, 'bytes' | 'sha256'> | undefined> {
  const sha256 = createHash('sha256');
  for (let bytes = 0; goOn(); ) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return { bytes, sha256: sha256.digest('hex') };
    sha256.update(chunk.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  return undefined;
}

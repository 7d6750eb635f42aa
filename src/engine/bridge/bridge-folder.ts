import type { FileName, KeptFile, KeptFiles } from '../../core/bridge/bridge-messages.js';
import type { Ports, SealedBody } from '../ports.js';
import { sealBody } from '../seal.js';

/** A file as it lies there; `bytes` is null when it is none that can be read. */
export type FileSeen = { bytes: Uint8Array | null; atMs: number | null; problem: string | null };
export type FilesSeen = Readonly<Record<FileName, FileSeen | null>>;

/** The folder that both sides of a bridge know. */
export interface BridgeFolder {
  look(dir: string): Promise<FilesSeen>;
  write(dir: string, name: FileName, text: string): Promise<void>;
  /** One that is not there is no error. */
  remove(dir: string, name: FileName): Promise<void>;
  /** What somebody who was killed has left half-written beside the three. */
  sweep(dir: string): Promise<void>;
  /** What answers nothing that was asked stays for people to look at; says under which name. */
  setResponseAside(dir: string): Promise<string>;
}

/** Larger ones are not kept: a state holds every answer, and each round keeps its own. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

/** What is kept of the files, and what is to be stored for it. */
export function keepFiles(
  ports: Pick<Ports, 'scrub' | 'hasher'>,
  seen: FilesSeen,
): { files: KeptFiles; bodies: SealedBody[] } {
  const bodies: SealedBody[] = [];
  const keep = (file: FileSeen | null): KeptFile | null => {
    const text = textOf(file);
    if (text === null) return null;
    const { ref, body } = sealBody(ports, text);
    bodies.push(body);
    return { body: ref, isMasked: ports.scrub(text) !== text };
  };
  return {
    files: { request: keep(seen.request), response: keep(seen.response), state: keep(seen.state) },
    bodies,
  };
}

function textOf(file: FileSeen | null): string | null {
  if (!file?.bytes || file.bytes.length > KEPT_BYTES_MAX) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes);
  } catch {
    return null;
  }
}

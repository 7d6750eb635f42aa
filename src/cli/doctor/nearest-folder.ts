import path from 'node:path';
import type { Probe } from './probe.js';

/** The folder itself, or the closest one above it that exists; undefined when a file is in the way. */
export async function nearestFolder(probe: Probe, wanted: string): Promise<string | undefined> {
  for (let folder = wanted; ; folder = path.dirname(folder)) {
    const facts = await probe.stat(folder);
    if (facts) return facts.kind === 'folder' ? folder : undefined;
    if (folder === path.dirname(folder)) return undefined;
  }
}

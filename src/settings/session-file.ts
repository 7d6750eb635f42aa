import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readJson } from '../contracts/shared/read-json.js';
import { writeAtomically } from '../system/atomic-write.js';

/** A browser that is logged in, as hashes. */
type Kept = { session: string; token: string; proof: string; until_ms: number };

const HASH = /^[0-9a-f]{64}$/;

/** Browsers that are logged in to the server of a home, so that they still are when it comes back. */
export function sessionFile(home: string) {
  const file = path.join(home, 'sessions.json');
  return {
    /** What cannot be one is nobody's session: whoever had it logs in again. */
    async read(): Promise<readonly Kept[]> {
      const text = await readFile(file, 'utf8').catch(() => undefined);
      const read = text === undefined ? undefined : readJson(text);
      if (!read || 'denial' in read || !Array.isArray(read.value)) return [];
      return read.value.filter(isKept);
    },
    write: (sessions: readonly Kept[]): Promise<void> =>
      writeAtomically(file, `${JSON.stringify(sessions)}\n`, { mode: 0o600 }),
  };
}

function isKept(one: unknown): one is Kept {
  const { session, token, proof, until_ms } = (one ?? {}) as Partial<Kept>;
  return [session, token, proof].every((hash) => HASH.test(String(hash))) && Number.isSafeInteger(until_ms);
}

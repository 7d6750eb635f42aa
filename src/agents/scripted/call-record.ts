import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunId } from '../../engine/ports.js';
import type { Facts } from './request-facts.js';

/** One call of a scripted agent. The request itself is kept by the store under this hash. */
export type Call = {
  at: string;
  agent: string;
  handoff: string;
  attempt: number;
  /** Which entry of the script was used; null when none fitted. */
  entry: number | null;
  asked: Facts;
  request: { sha256: string; bytes: number };
};

/**
 * The calls of a run, one JSON object a line, in a file of its own. How often an entry was used is counted from here,
 * so it survives a restart as the run does, and every run begins the script anew.
 */
export class CallRecord {
  readonly #file: string;

  constructor(folder: string, run: RunId) {
    this.#file = path.join(folder, `${encodeURIComponent(run)}.ndjson`);
  }

  async add(call: Call): Promise<void> {
    const add = () => appendFile(this.#file, `${JSON.stringify(call)}\n`, { mode: 0o600 });
    await add().catch(async (problem: unknown) => {
      if (!isMissing(problem)) throw problem;
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      return add();
    });
  }

  async of(agent: string): Promise<Call[]> {
    const text = await readFile(this.#file, 'utf8').catch(emptyWhenMissing);
    return text
      .split('\n')
      .flatMap(callOf)
      .filter((call) => call.agent === agent);
  }
}

/** A line that a power cut has torn is of a call that brought nothing. */
function callOf(line: string): Call[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function emptyWhenMissing(problem: unknown): string {
  if (isMissing(problem)) return '';
  throw problem;
}

function isMissing(problem: unknown): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === 'ENOENT';
}

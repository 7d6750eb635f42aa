import type { Io } from './io.js';

/** An Io for tests that keeps what was said. */
export function recordingIo(given: { env?: Io['env']; cwd?: string }): Io & { said: { out: string; err: string } } {
  const said = { out: '', err: '' };
  return {
    said,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    env: given.env ?? {},
    cwd: given.cwd ?? '/',
    terminal: { out: false, err: false },
    async *stdin() {},
  };
}

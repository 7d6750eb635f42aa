import type { Io } from './io.js';

/** Io of a real process. A reader that went away (`| head`) is no error of ours. */
export function processIo(): Io {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (failure: NodeJS.ErrnoException) => {
      if (failure.code !== 'EPIPE') throw failure;
    });
  }
  const colour = process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb';
  return {
    out: (text) => write(stdout, text),
    err: (text) => write(stderr, text),
    env: process.env,
    cwd: process.cwd(),
    terminal: { out: colour && stdout.isTTY === true, err: colour && stderr.isTTY === true },
    stdin: () => process.stdin,
  };
}

function write(stream: NodeJS.WriteStream, text: string): void {
  if (text !== '') stream.write(text);
}

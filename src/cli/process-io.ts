import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Io } from './io.js';

const STDIN = 0;

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
    isPiped: isPiped(),
    again: startAgain,
    ...(process.stdin.isTTY && stderr.isTTY && { ask: askPerson }),
  };
}

/** A program that starts this one often leaves a socket open that it never writes to: that is no such pipe. */
function isPiped(): boolean {
  const kind = fstatSync(STDIN);
  return kind.isFIFO() || kind.isFile();
}

const SAID_CHARS_MAX = 4_000;

/** Nothing of it keeps this process: who starts it may leave first. */
function startAgain(argv: readonly string[]): { ended: Promise<string> } {
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [program, ...argv], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, SAID_CHARS_MAX);
  });
  (child.stderr as Socket).unref();
  child.unref();
  return { ended: new Promise((resolve) => child.once('close', () => resolve(said.trim()))) };
}

/** On a terminal Ctrl-C and Ctrl-D mean that nobody answers. */
async function askPerson(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(undefined));
    lines.once('SIGINT', () => lines.close());
    lines.question(question).then(resolve, () => resolve(undefined));
  }).finally(() => lines.close()) as Promise<string | undefined>;
}

function write(stream: NodeJS.WriteStream, text: string): void {
  if (text !== '') stream.write(text);
}

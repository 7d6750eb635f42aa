import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ShellReader } from '../../engine/rules/shell-reader.js';
import { LineReader } from './line-reader.js';
import { loadShellParser } from './load-parser.js';

export async function createShellReader(): Promise<ShellReader> {
  const parse = await loadShellParser();
  return {
    readLine: (text, cwd) => new LineReader(parse, realFolder).line(text, cwd),
    readArgv: (argv, cwd) => new LineReader(parse, realFolder).argv(argv, cwd),
  };
}

/** Null when it is not there yet: nobody knows what it will be. */
function realFolder(from: string, to: string): string | null {
  try {
    return realpathSync(path.resolve(from, to));
  } catch {
    return null;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from '../cli/run-bin.js';
import type { JobStage } from '../jobs/job-stage.js';

export type Served = {
  url: string;
  token: string;
  process: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/** `baton serve` as a process of its own on the home of a stage. */
export async function serve(stage: JobStage, { port = 0, args = [] as string[] } = {}): Promise<Served> {
  const program = path.join(ROOT, 'bin/baton.cjs');
  const child = spawn(process.execPath, [program, 'serve', '--json', '--port', String(port), ...args], {
    cwd: stage.repo,
    env: { BATON_HOME: stage.home, PATH: stage.path, LANG: 'C.UTF-8', USER: 'anna', ...stage.extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => stop());
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  return { url, token: readFileSync(path.join(stage.home, 'token'), 'utf8').trim(), process: child, stop };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [out, err] = ['', ''];
    child.stdout?.on('data', (bytes) => {
      out += bytes;
      if (out.includes('\n')) resolve(out);
    });
    child.stderr?.on('data', (bytes) => {
      err += bytes;
    });
    child.once('close', () => reject(new Error(`the server ended: ${out}${err}`)));
  });
}

import { execFile } from 'node:child_process';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Io } from '../io.js';

const GH_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;

/** Runs `gh` or `git` of the user, in the user's repository, with the user's own configuration and login. */
export function runForUser(
  io: Pick<Io, 'env'>,
  program: 'gh' | 'git',
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const options = { cwd, env: { ...io.env }, timeout: GH_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX };
  return new Promise((resolve, reject) => {
    execFile(program, [...args], options, (problem, stdout, stderr) => {
      if (!problem) return resolve(stdout.trim());
      const { code } = problem as NodeJS.ErrnoException;
      if (code === 'ENOENT') return reject(new BatonError('TOOL_MISSING', `${program} is not on PATH`, { program }));
      const said = (stderr || stdout || String(problem.message)).trim().slice(0, 500);
      reject(new BatonError('TOOL_FAILED', `${program} ${args[0]} ${args[1] ?? ''}: ${said}`, { program }));
    });
  });
}

export type Issue = { number: number; title: string; body: string; url: string };

export async function readIssue(io: Pick<Io, 'env'>, number: number, repo: string): Promise<Issue> {
  const fields = 'number,title,body,url';
  const text = await runForUser(io, 'gh', ['issue', 'view', String(number), '--json', fields], repo);
  try {
    const { title, body, url } = JSON.parse(text) as Issue;
    if (typeof title === 'string' && typeof body === 'string') return { number, title, body, url: String(url) };
  } catch {
    // told below
  }
  throw new BatonError('TOOL_FAILED', `gh issue view ${number} printed no issue`, { program: 'gh' });
}

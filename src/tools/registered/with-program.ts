import { agentEnvironment } from '../../agents/process/agent-environment.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { findProgram } from '../../sandbox/find-program.js';
import { privateHome } from '../../sandbox/private-home.js';
import type { Confined } from '../../sandbox/sandbox.js';
import type { Machine } from '../machine.js';
import { type Around, type Risk, stop } from '../tool.js';
import type { Program } from './tool-spec.js';

/** Where there is no folder to work in; names are looked for from there too, never in the folder. */
const NOWHERE = '/';

type Startable = {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  confined: Confined | undefined;
};

/** Lets somebody start a registered program, with what it may reach; that closes when they are done with it. */
export async function withProgram<T>(
  { name, risk }: { name: string; risk: Risk },
  { argv: [word, ...args], env: names, hosts }: Program,
  { environment, confine }: Machine,
  { folder }: Pick<Around, 'folder'>,
  use: (program: Startable) => Promise<T>,
): Promise<T> {
  const found = findProgram(word, { cwd: NOWHERE, PATH: environment.PATH });
  if ('reason' in found) return stop('ToolNotFound', `${name} could not be started: ${found.reason}`);
  const argv = [found.file, ...args];
  const cwd = folder ?? NOWHERE;
  const held = await confine?.(cwd, { argv, mayWrite: risk !== 'read_only', hosts }).catch((problem) => {
    if (!(problem instanceof BatonError)) throw problem;
    return stop('ToolError', `${name} is not run: ${problem.message}`, { recoverable: false });
  });
  // What every program gets, and what was named; in a sandbox the home is an empty one.
  const env = { ...agentEnvironment(environment, names), ...(held && { HOME: privateHome() }) };
  try {
    return await use({ argv, cwd, env, confined: held?.confined });
  } finally {
    await held?.end();
  }
}

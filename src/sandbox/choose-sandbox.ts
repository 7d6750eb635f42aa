import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BatonError } from '../contracts/shared/errors.js';
import { findProgram } from './find-program.js';
import { agentSandbox } from './modes/agent.js';
import { bwrapSandbox } from './modes/bwrap.js';
import { externalSandbox } from './modes/external.js';
import { noneSandbox } from './modes/none.js';
import { SANDBOX_EXEC, seatbeltSandbox } from './modes/seatbelt.js';
import type { Sandbox, SandboxMode } from './sandbox.js';
import { type SandboxTrial, trySandbox } from './try-sandbox.js';

/** `why` says what a stronger one lacks; undefined when there is none. */
export type Chosen = { sandbox: Sandbox; why?: string };

const DECLARED = { agent: agentSandbox, external: externalSandbox, none: noneSandbox } as const;
const SIZE_SINCE = [0, 7] as const;

/**
 * The sandbox of a mode. `auto` takes the kernel's where a trial shows that it holds, else the agents' own. A mode that
 * was asked for by name and does not hold is refused: nobody gets less than they asked for without a word.
 */
export async function chooseSandbox(mode: SandboxMode | 'auto', PATH: string | undefined): Promise<Chosen> {
  if (mode === 'agent' || mode === 'external' || mode === 'none') return { sandbox: DECLARED[mode] };
  const here = process.platform === 'darwin' ? 'seatbelt' : 'bwrap';
  const tried = mode === 'auto' || mode === here ? await triedHere(PATH) : undefined;
  if (tried && 'sandbox' in tried) return tried;
  const why = tried?.why ?? `${mode} is not made for ${process.platform}`;
  if (mode === 'auto') return { sandbox: agentSandbox, why };
  throw new BatonError('SANDBOX_UNAVAILABLE', `sandbox.mode is ${mode}, but ${why}`, { mode, why });
}

/** For the doctor: a program that was found is tried. */
export async function tryBwrap(program: string): Promise<SandboxTrial> {
  return trySandbox(bwrapSandbox({ program, canSize: await canSize(program) }));
}

type Tried = { sandbox: Sandbox } | { why: string };
let tried: { PATH: string | undefined; result: Promise<Tried> } | undefined;

/** Once per process: what holds does not change under it. */
function triedHere(PATH: string | undefined): Promise<Tried> {
  if (tried?.PATH !== PATH || !tried) tried = { PATH, result: tryHere(PATH) };
  return tried.result;
}

async function tryHere(PATH: string | undefined): Promise<Tried> {
  const name = process.platform === 'darwin' ? SANDBOX_EXEC : 'bwrap';
  const found = findProgram(name, { cwd: '/', PATH });
  if ('reason' in found) return { why: found.reason };
  const sandbox =
    process.platform === 'darwin'
      ? seatbeltSandbox
      : bwrapSandbox({ program: found.file, canSize: await canSize(found.file) });
  const trial = await trySandbox(sandbox);
  switch (trial.type) {
    case 'holds':
      return { sandbox };
    case 'leaks':
      return { why: `${name} does not hold here: ${trial.layers.join(', ')}` };
    case 'fails':
      return { why: `${name} does not work here: ${trial.said}` };
  }
}

async function canSize(program: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { env: {} }).catch(() => ({ stdout: '' }));
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  const [sinceMajor, sinceMinor] = SIZE_SINCE;
  return Number(major) > sinceMajor || (Number(major) === sinceMajor && Number(minor) >= sinceMinor);
}

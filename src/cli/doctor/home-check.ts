import path from 'node:path';
import { tilde } from '../../settings/home.js';
import type { Check, DoctorEnv, Finding } from './finding.js';
import { mountOf } from './mounts.js';
import { nearestFolder } from './nearest-folder.js';
import type { FileFacts } from './probe.js';

const MB = 1_000_000;
const GB = 1_000 * MB;
const FREE_BYTES_MIN = 100 * MB;
const FREE_BYTES_WANTED = GB;

export const checkHome: Check = async (env) => {
  const facts = await env.probe.stat(env.home);
  const folder = await nearestFolder(env.probe, env.home);
  const problem = unusable(env, facts, folder) ?? (await unfit(env, folder ?? env.home));
  if (problem) return [problem, ...(await checkToken(env))];
  return [await wellOrTight(env, facts, folder ?? env.home), ...(await checkToken(env))];
};

function unusable(env: DoctorEnv, facts: FileFacts | undefined, folder: string | undefined): Finding | undefined {
  const { uid } = env.probe;
  const fix = 'export BATON_HOME=… to a folder of your own';
  if ((facts && facts.kind !== 'folder') || !folder) return problem(env, 'is not a folder', fix);
  if (facts && uid !== undefined && facts.uid !== uid) return problem(env, `belongs to user ${facts.uid}`, fix);
  return undefined;
}

async function unfit(env: DoctorEnv, folder: string): Promise<Finding | undefined> {
  const { probe, home } = env;
  if (!(await probe.isWritable(folder))) {
    const what = folder === home ? 'cannot be written' : `cannot be made: ${folder} is not writable`;
    return problem(env, what, `chmod u+rwx ${folder}   or: export BATON_HOME=…`);
  }
  const mount = await mountOf(probe, folder);
  if (mount?.network) {
    const what = `is on a network file system (${mount.type}); its locks do not protect a database`;
    return problem(env, what, 'export BATON_HOME=… to a folder on a local disk');
  }
  return undefined;
}

async function wellOrTight(env: DoctorEnv, facts: FileFacts | undefined, folder: string): Promise<Finding> {
  const shown = tilde(env.home, env.userHome);
  const free = await env.probe.freeBytes(folder);
  const mode = facts ? `mode ${octal(facts.mode)}` : 'not there yet, made on first use';
  const text = `${shown}, ${mode}, ${amount(free)} free`;
  if (free < FREE_BYTES_MIN) return { topic: 'home', status: 'problem', text, fix: 'free some disk space' };
  if (facts && (facts.mode & 0o077) !== 0) {
    const open = `${text}; other users can look into it`;
    return { topic: 'home', status: 'warning', text: open, fix: `chmod 700 ${shown}` };
  }
  if (free < FREE_BYTES_WANTED) return { topic: 'home', status: 'warning', text, fix: 'free some disk space' };
  return { topic: 'home', status: 'ok', text };
}

async function checkToken({ probe, home, userHome }: DoctorEnv): Promise<Finding[]> {
  const file = path.join(home, 'token');
  const facts = await probe.stat(file);
  if (!facts || (facts.mode & 0o177) === 0) return [];
  const text = `${tilde(file, userHome)} has mode ${octal(facts.mode)}: other users can act as you`;
  return [{ topic: 'token', status: 'problem', text, fix: `chmod 600 ${tilde(file, userHome)}` }];
}

function problem({ home, userHome }: DoctorEnv, what: string, fix: string): Finding {
  return { topic: 'home', status: 'problem', text: `${tilde(home, userHome)} ${what}`, fix };
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

function amount(bytes: number): string {
  return bytes >= GB ? `${Math.floor(bytes / GB)} GB` : `${Math.floor(bytes / MB)} MB`;
}

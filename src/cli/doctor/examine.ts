import { AGENT_CHECKS, checkModel } from './agents-check.js';
import { checkBrowser } from './browser-check.js';
import { checkConfig } from './config-check.js';
import type { Check, DoctorEnv, Finding } from './finding.js';
import { checkGit } from './git-check.js';
import { checkHome } from './home-check.js';
import { checkNode } from './node-check.js';
import { checkPostgres } from './postgres-check.js';
import { checkSandbox } from './sandbox-check.js';
import { checkServer } from './server-check.js';
import { checkSqlite } from './sqlite-check.js';

const CHECK_MS_MAX = 10_000;

export type NamedCheck = { topic: string; check: Check };

/** In the order they are shown. */
export const CHECKS: readonly NamedCheck[] = [
  { topic: 'node', check: checkNode },
  { topic: 'git', check: checkGit },
  { topic: 'sqlite', check: checkSqlite },
  { topic: 'home', check: checkHome },
  { topic: 'config', check: checkConfig },
  ...AGENT_CHECKS,
  { topic: 'model', check: checkModel },
  { topic: 'sandbox', check: checkSandbox },
  { topic: 'server', check: checkServer },
  { topic: 'postgres', check: checkPostgres },
  { topic: 'browser', check: checkBrowser },
];

/** All at once. A check that throws or hangs becomes a finding of its own and harms no other. */
export async function examine(
  env: DoctorEnv,
  { checks = CHECKS, checkMsMax = CHECK_MS_MAX }: { checks?: readonly NamedCheck[]; checkMsMax?: number } = {},
): Promise<Finding[]> {
  return (await Promise.all(checks.map((named) => bounded(named, env, checkMsMax)))).flat();
}

async function bounded({ topic, check }: NamedCheck, env: DoctorEnv, checkMsMax: number): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<Finding[]>((resolve) => {
    const text = `the check was given up after ${checkMsMax / 1000} s`;
    timer = setTimeout(() => resolve([{ topic, status: 'problem', text }]), checkMsMax);
  });
  try {
    return await Promise.race([check(env), tooLong]);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    return [{ topic, status: 'problem', text: `the check failed: ${reason}` }];
  } finally {
    clearTimeout(timer);
  }
}

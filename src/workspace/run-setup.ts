import type { Prepared } from '../core/job/job-deeds.js';
import type { BodyRef } from '../core/kernel/effect.js';
import { privateHome } from '../sandbox/private-home.js';
import type { Confined } from '../sandbox/sandbox.js';
import { commandEnvironment } from './command-environment.js';
import type { SetupRights } from './confinement.js';
import type { Deed } from './deed.js';
import { packageCacheFor } from './package-cache.js';
import { runGated } from './run-gated.js';
import { SetupCache } from './setup-cache.js';
import { refusedNote, setupProblem } from './setup-problem.js';

const SETUP_MS_MAX = 60 * 60_000;
const OUTPUT_BYTES_MAX = 256 * 1024;
const NO_RIGHTS: SetupRights = { sandbox: 'none', holds: false, hosts: [] };
const FROM_CACHE = 'What the setup command makes was taken from an earlier job with the same lockfile.';

export type SetupOrder = {
  argv: readonly string[];
  /** Names of variables that are passed on. */
  env: readonly string[];
  /** The files it runs on are an agent's work, so nothing of what it makes is kept for others. */
  byAgent: boolean;
};
type SetUp = Pick<Extract<Prepared, { folder: string }>, 'setupMs' | 'setupSandbox' | 'notes'>;

export const NO_SETUP: SetUp = { setupMs: 0, notes: [] };

/** Makes a workspace ready to work in: inside the sandbox, unless none holds or the user wants it to have their rights. */
export async function runSetup(deed: Deed, order: SetupOrder): Promise<SetUp | { problem: string; output: BodyRef }> {
  const rights = (await deed.options.confinements?.setupRights(deed.run, order)) ?? NO_RIGHTS;
  const { sandbox: setupSandbox } = rights;
  const cache = SetupCache.of(deed, order, rights);
  if (await cache?.restore()) {
    // Nothing has run, so those of all jobs can be used, whoever wrote the files.
    if (rights.holds) packageCacheFor(deed, { byAgent: false });
    return { setupMs: 0, setupSandbox, notes: [FROM_CACHE] };
  }
  const { end, held } = await run(deed, order);
  if (end.exitCode !== 0) return { problem: setupProblem(order.argv, end, held), output: deed.seal(end.stdout) };
  if (!order.byAgent) await cache?.keep();
  const note = held && refusedNote(held);
  return { setupMs: end.ms, setupSandbox, notes: note === undefined ? [] : [note] };
}

async function run(deed: Deed, order: SetupOrder) {
  const { argv, env: names, byAgent } = order;
  const { environment, confinements } = deed.options;
  const held = await confinements?.setup(deed.run, order);
  const env = commandEnvironment(environment, names, held ? privateHome() : environment.HOME);
  const limits = { msMax: SETUP_MS_MAX, outputBytesMax: OUTPUT_BYTES_MAX };
  try {
    const packages = held && packageCacheFor(deed, { byAgent });
    const end = await runGated(deed.errand, {
      ...{ argv, cwd: deed.folder.workspace, env: { ...packages?.env, ...env }, merge: true },
      confined: packages && alsoWritable(held.confined, packages.folder),
      ...limits,
    });
    return { end, held };
  } finally {
    await held?.end();
  }
}

function alsoWritable({ sandbox, confinement }: Confined, folder: string): Confined {
  return { sandbox, confinement: { ...confinement, writable: [...confinement.writable, folder] } };
}

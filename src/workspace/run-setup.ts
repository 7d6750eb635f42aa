import type { Prepared } from '../core/job/job-deeds.js';
import type { BodyRef } from '../core/kernel/effect.js';
import { privateHome } from '../sandbox/private-home.js';
import { commandEnvironment } from './command-environment.js';
import type { Deed } from './deed.js';
import { packageCacheFor } from './package-cache.js';
import { type CommandEnd, runGated } from './run-gated.js';
import { SetupCache } from './setup-cache.js';
import { refusedNote, setupProblem } from './setup-problem.js';

const SETUP_MS_MAX = 60 * 60_000;
const OUTPUT_BYTES_MAX = 256 * 1024;
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
  const rights = (await deed.options.confinements?.setupRights(deed.run)) ?? { sandbox: 'none', hosts: [] };
  const { sandbox: setupSandbox } = rights;
  const cache = SetupCache.of(deed, order, rights);
  if (await cache?.restore()) return { setupMs: 0, setupSandbox, notes: [FROM_CACHE] };
  const { end, held } = await run(deed, order);
  if (end.exitCode !== 0) return { problem: setupProblem(order.argv, end, held), output: deed.seal(end.stdout) };
  if (!order.byAgent) await cache?.keep();
  const note = held && refusedNote(held);
  return { setupMs: end.ms, setupSandbox, notes: note === undefined ? [] : [note] };
}

async function run(deed: Deed, { argv, env: names, byAgent }: SetupOrder) {
  const { environment, confinements } = deed.options;
  const packages = packageCacheFor(deed, { byAgent });
  const held = await confinements?.setup(deed.run, argv, packages.folder);
  const env = held
    ? { ...packages.env, ...commandEnvironment(environment, names, privateHome()) }
    : commandEnvironment(environment, names, environment.HOME);
  const limits = { msMax: SETUP_MS_MAX, outputBytesMax: OUTPUT_BYTES_MAX };
  try {
    const command = { argv, cwd: deed.folder.workspace, env, merge: true, confined: held?.confined };
    const end: CommandEnd = await runGated(deed.errand, { ...command, ...limits });
    return { end, held };
  } finally {
    await held?.end();
  }
}

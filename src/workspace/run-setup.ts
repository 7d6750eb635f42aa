import type { BodyRef } from '../core/kernel/effect.js';
import { commandEnvironment } from './command-environment.js';
import type { Deed } from './deed.js';
import { runGated } from './run-gated.js';
import { SetupCache } from './setup-cache.js';

const SETUP_MS_MAX = 60 * 60_000;
const OUTPUT_BYTES_MAX = 256 * 1024;

/** Makes a workspace ready to work in. It is the user's own command, so it gets the user's home and its caches. */
export async function runSetup(
  deed: Deed,
  argv: readonly string[],
  names: readonly string[],
): Promise<{ setupMs: number; cached: boolean } | { problem: string; output: BodyRef }> {
  const { environment } = deed.options;
  const cache = SetupCache.of(deed, argv, names);
  if (await cache?.restore()) return { setupMs: 0, cached: true };
  const end = await runGated(deed.errand, {
    argv,
    cwd: deed.folder.workspace,
    env: commandEnvironment(environment, names, environment.HOME),
    merge: true,
    msMax: SETUP_MS_MAX,
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  if (end.exitCode === 0) {
    await cache?.keep();
    return { setupMs: end.ms, cached: false };
  }
  const how = end.timedOut ? 'took longer than an hour' : `ended with ${end.exitCode ?? 'a signal'}`;
  const problem = `The setup command ${JSON.stringify(argv.join(' ').slice(0, 200))} ${how}. Look at its output, mend it, then resubmit.`;
  return { problem, output: deed.seal(end.stdout) };
}

import { mkdirSync } from 'node:fs';
import type { CheckResult } from '../core/job/job-deeds.js';
import { privateHome } from '../sandbox/private-home.js';
import { commandEnvironment } from './command-environment.js';
import type { Deed } from './deed.js';
import { packagesInPlace } from './package-cache.js';
import { removeFolder } from './remove-folder.js';
import { runGated } from './run-gated.js';

const CHECK_MS_MAX = 60 * 60_000;
const OUTPUT_BYTES_MAX = 256 * 1024;
const TAIL_LENGTH_MAX = 4 * 1024;

export type Ran = {
  results: CheckResult[] /** What failed, for whoever mends it; null when all passed. */;
  failure: string | null;
};

/** Runs every command in the folder, one after the other, with a home of its own and only the variables that are named. */
export async function runChecks(
  deed: Deed,
  cwd: string,
  checks: readonly (readonly string[])[],
  names: readonly string[],
): Promise<Ran> {
  const { folder, options, errand } = deed;
  const results: CheckResult[] = [];
  const failures: string[] = [];
  const packages = packagesInPlace(folder);
  const confined = await options.confinements?.check(deed.run, cwd);
  removeFolder(folder.home);
  mkdirSync(folder.home, { recursive: true, mode: 0o700 });
  try {
    for (const argv of checks) {
      const env = confined
        ? { ...packages?.env, ...commandEnvironment(options.environment, names, privateHome()) }
        : commandEnvironment(options.environment, names, folder.home);
      const limits = { msMax: CHECK_MS_MAX, outputBytesMax: OUTPUT_BYTES_MAX };
      const { exitCode, stdout, ms, timedOut } = await runGated(errand, {
        ...{ argv, cwd, env, merge: true, confined },
        ...limits,
      });
      results.push({ argv, exitCode: timedOut ? null : exitCode, ms, output: deed.seal(stdout) });
      if (exitCode === 0 && !timedOut) continue;
      const how = timedOut
        ? 'took longer than an hour'
        : exitCode === null
          ? 'was ended by a signal'
          : `exit code ${exitCode}`;
      failures.push(
        `The check \`${argv.join(' ')}\` failed: ${how}. The end of its output:\n\n${stdout.slice(-TAIL_LENGTH_MAX)}`,
      );
    }
  } finally {
    removeFolder(folder.home);
  }
  return { results, failure: failures.length > 0 ? failures.join('\n\n') : null };
}

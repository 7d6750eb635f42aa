import { spawnSync } from 'node:child_process';
import { buildIfStale, installDependencies, ROOT } from './setup.mjs';
import { installSystemPrograms } from './system-programs.mjs';

/** Runs the steps in order and stops at the first that fails, naming it. */
export async function runGate(steps) {
  installSystemPrograms();
  installDependencies();
  await buildIfStale();
  for (const { name, args } of steps) {
    const started = Date.now();
    console.error(`\n── ${name}`);
    const { status, signal } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) {
      console.error(`\n✗ ${name} failed (${signal ?? `exit ${status}`}): node ${args.join(' ')}`);
      process.exit(1);
    }
    console.error(`✓ ${name} (${Math.round((Date.now() - started) / 1000)} s)`);
  }
}

import { spawn } from 'node:child_process';
import { buildIfStale, installDependencies, ROOT } from './setup.mjs';
import { installSystemPrograms } from './system-programs.mjs';

/** Runs the steps in order, some of them side by side, and stops where one fails, naming it. */
export async function runGate(steps) {
  installSystemPrograms();
  installDependencies();
  await buildIfStale();
  for (const group of groups(steps)) {
    const failures = (await Promise.all(group.map((step) => run(step, group.length > 1)))).filter(Boolean);
    if (failures.length === 0) continue;
    console.error(`\n${failures.join('\n')}`);
    process.exit(1);
  }
}

function groups(steps) {
  const found = [];
  for (const step of steps) {
    if (step.beside && found.length > 0) found.at(-1).push(step);
    else found.push([step]);
  }
  return found;
}

/** Resolves with what went wrong. Of steps side by side each says all it has to say at its end. */
function run({ name, args }, isBeside) {
  const started = Date.now();
  if (!isBeside) console.error(`\n── ${name}`);
  const said = [];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => said.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => {
      if (isBeside) console.error(`\n── ${name}`);
      process.stderr.write(Buffer.concat(said));
      if (status !== 0) return resolve(`✗ ${name} failed (${signal ?? `exit ${status}`}): node ${args.join(' ')}`);
      console.error(`✓ ${name} (${Math.round((Date.now() - started) / 1000)} s)`);
      resolve(undefined);
    });
  });
}

import path from 'node:path';
import { type Ran, ROOT, runProgram } from '../../cli/run-bin.js';

/** Builds a TypeScript project with the compiler of this one, and runs its own tests. */
export function runNodeTests(folder: string): Ran {
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const types = ['--typeRoots', path.join(ROOT, 'node_modules/@types'), '--types', 'node'];
  const built = runProgram(process.execPath, [compiler, '-p', '.', ...types], { cwd: folder });
  if (built.code !== 0) return built;
  // A test runner inside of another one would report to it instead of running.
  return runProgram(process.execPath, ['--test', 'dist'], {
    cwd: folder,
    env: { NODE_TEST_CONTEXT: '', NODE_OPTIONS: '' },
  });
}

export function runPythonTests(folder: string): Ran {
  return runProgram('python3', ['-B', '-m', 'unittest', 'discover'], { cwd: folder });
}

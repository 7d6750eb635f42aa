/** Tries every forbidden act, once in the sandbox and once in one with its hole, as whatever user it is run by. */
import { findProgram } from '../../src/sandbox/find-program.js';
import { bwrapSandbox } from '../../src/sandbox/modes/bwrap.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { type Act, FORBIDDEN_ACTS } from './forbidden-acts.js';
import { type Outcome, PATH, Scene } from './scene.js';

export type Tried = { name: string; planted: boolean; isDone: boolean; outcome: Outcome | string };

const found = findProgram('bwrap', { cwd: '/', PATH });
if ('reason' in found) throw new Error(`bubblewrap is needed: ${found.reason}`);
const program = found.file;

async function tryAct(act: Act, planted: boolean): Promise<Tried> {
  const scene = new Scene();
  try {
    await scene.listen();
    const hole = planted ? act.hole : {};
    const sandbox = bwrapSandbox({ program, change: (args) => hole.change?.(args, scene) ?? args });
    const outcome = await scene.run(hole.unseen ? unseen(sandbox) : sandbox, act.argv(scene), hole.confinement);
    return { name: act.name, planted, isDone: act.isDone(outcome, scene), outcome };
  } catch (problem) {
    return { name: act.name, planted, isDone: false, outcome: String(problem) };
  } finally {
    scene.clear();
  }
}

function unseen(sandbox: Sandbox): Sandbox {
  return {
    ...sandbox,
    wrap(command) {
      const wrapped = sandbox.wrap(command);
      return 'reason' in wrapped ? wrapped : { ...wrapped, inspect: async () => ({ init: undefined }) };
    },
  };
}

const tried: Tried[] = [];
for (const act of FORBIDDEN_ACTS) {
  for (const planted of [false, true]) tried.push(await tryAct(act, planted));
}
process.stdout.write(JSON.stringify(tried));

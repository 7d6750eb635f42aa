import { agentEnvironment } from '../../agents/process/agent-environment.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import { privateHome } from '../../sandbox/private-home.js';
import { NotStarted, runGated } from '../../workspace/run-gated.js';
import { errandOf, type Machine } from '../machine.js';
import { type Around, type Done, ended, type Params, stop, type Tool, ToolProblem } from '../tool.js';
import { answeredValue, exitFailure, tookTooLong } from './how-it-ended.js';
import type { CommandTool } from './tool-spec.js';

/** Where there is no folder to work in. */
export const NO_FOLDER = '/';

/** The parameters as JSON on stdin, the answer on stdout; the exit code says how it went. */
export function commandTool(spec: CommandTool, machine: Machine): Tool {
  const { name, risk, description } = spec;
  return {
    name,
    risk,
    description,
    run: (params, around) => ended(() => runCommand(spec, params, machine, around)),
  };
}

async function runCommand(spec: CommandTool, params: Params, machine: Machine, around: Around): Promise<Done> {
  const { name, risk, argv, seconds } = spec;
  const cwd = around.folder ?? NO_FOLDER;
  const confined = await machine.confine?.(cwd, { argv, mayWrite: risk !== 'read_only' });
  const { exitCode, timedOut, stdout, stderr } = await runGated(errandOf(machine, around), {
    argv,
    cwd,
    env: programEnvironment(spec, machine, confined !== undefined),
    stdin: JSON.stringify(params),
    msMax: seconds * 1_000,
    // One byte more than is read, so that what is too large is seen to be.
    outputBytesMax: BYTES_MAX + 1,
    confined,
  }).catch((problem) => {
    if (problem instanceof NotStarted) return stop('ToolError', `${name}: ${problem.message}`);
    throw problem;
  });
  if (timedOut) throw new ToolProblem(tookTooLong(name, seconds));
  const failed = exitFailure(name, exitCode, stderr);
  if (failed) throw new ToolProblem(failed);
  if (Buffer.byteLength(stdout) > BYTES_MAX) stop('ToolError', `${name} answered with more than ${BYTES_MAX} bytes`);
  return { result: answeredValue(stdout), evidence: [] };
}

/** What every program gets, and what was named; in a sandbox the home is an empty one. */
export function programEnvironment(
  { env }: Pick<CommandTool, 'env'>,
  { environment }: Machine,
  isConfined: boolean,
): Record<string, string> {
  return { ...agentEnvironment(environment, env), ...(isConfined && { HOME: privateHome() }) };
}

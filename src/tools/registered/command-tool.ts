import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import { NotStarted, runGated } from '../../workspace/run-gated.js';
import { errandOf, type Machine } from '../machine.js';
import { type Around, type Done, ended, type Params, stop, type Tool, ToolProblem } from '../tool.js';
import { answeredValue, exitFailure, tookTooLong } from './how-it-ended.js';
import type { CommandTool } from './tool-spec.js';
import { withProgram } from './with-program.js';

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
  const { name, seconds } = spec;
  const { exitCode, timedOut, stdout, stderr } = await withProgram(spec, spec, machine, around, (program) =>
    runGated(errandOf(machine, around), {
      ...program,
      stdin: JSON.stringify(params),
      msMax: seconds * 1_000,
      // One byte more than is read, so that what is too large is seen to be.
      outputBytesMax: BYTES_MAX + 1,
    }),
  ).catch((problem) => {
    if (problem instanceof NotStarted) return stop('ToolError', `${name}: ${problem.message}`);
    throw problem;
  });
  if (timedOut) throw new ToolProblem(tookTooLong(name, seconds));
  const failed = exitFailure(name, exitCode, stderr);
  if (failed) throw new ToolProblem(failed);
  if (Buffer.byteLength(stdout) > BYTES_MAX) stop('ToolError', `${name} answered with more than ${BYTES_MAX} bytes`);
  return { result: answeredValue(stdout), evidence: [] };
}

import type { Clock } from '../../engine/ports.js';
import { type Done, failure, ToolProblem } from '../tool.js';
import { tookTooLong } from './how-it-ended.js';
import type { HttpTool } from './tool-spec.js';

/** Asks a service until its time is up. What goes wrong on the way there may go right another time. */
export async function inTime(
  { name, seconds }: Pick<HttpTool, 'name' | 'seconds'>,
  { clock, signal }: { clock: Pick<Clock, 'after'>; signal: AbortSignal },
  ask: (until: AbortSignal) => Promise<Done>,
): Promise<Done> {
  const late = new AbortController();
  const forget = clock.after(seconds * 1_000, () => late.abort());
  try {
    return await ask(AbortSignal.any([signal, late.signal]));
  } catch (problem) {
    signal.throwIfAborted();
    if (problem instanceof ToolProblem) throw problem;
    const said = problem instanceof Error ? problem.message : String(problem);
    throw new ToolProblem(
      late.signal.aborted ? tookTooLong(name, seconds) : failure('ToolError', `${name} could not be asked: ${said}`),
    );
  } finally {
    forget();
  }
}

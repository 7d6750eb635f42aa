import { describeLiving, livingAgents } from './living-agents.js';
import type { ProgramProcess } from './program-process.js';
import type { Stage } from './stage.js';
import { within } from './waiting.js';

const PEACE_MS_MAX = 180_000;
const STOP_MS_MAX = 20_000;
/** A process that was ended is in the list until it was collected. */
const GONE_MS_MAX = 2_000;

/** No more trouble: everything open comes to its end, then everybody leaves, and nothing of theirs is left running. */
export async function makePeace(
  stage: Stage,
  client: ProgramProcess,
  workers: readonly ProgramProcess[],
): Promise<{ left: string[] }> {
  await stop(stage, client);
  const last = stage.startClient('finish');
  if (!(await within(PEACE_MS_MAX, () => last.exit !== undefined))) {
    stage.problems.push('the runs did not come to rest');
    await last.kill();
  }
  for (const worker of workers) await stop(stage, worker);
  await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
  return { left: describeLiving(livingAgents(stage.token)) };
}

async function stop(stage: Stage, process: ProgramProcess): Promise<void> {
  process.signal('SIGTERM');
  if (await within(STOP_MS_MAX, () => process.exit !== undefined)) return void (await process.ended);
  stage.problems.push(`${process.name} did not stop: ${process.last.slice(-5).join(' / ')}`);
  await process.kill();
}

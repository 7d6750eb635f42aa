import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { describeLiving, livingAgents } from './living-agents.js';
import type { ProgramProcess } from './program-process.js';
import type { Stage } from './stage.js';
import { within } from './waiting.js';

const PEACE_MS_MAX = 60_000;
const RUNS_LOOKED_AT = 200;
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
    const running = describeLiving(livingAgents(stage.token)).join('; ') || 'no agent';
    stage.problems.push(`the runs did not come to rest while there ran ${running}; ${await restless(stage.home)}`);
    for (const { name, last } of workers) stage.problems.push(`${name} said last: ${last.slice(-5).join(' / ')}`);
    await last.kill();
  }
  for (const worker of workers) await stop(stage, worker);
  await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
  return { left: describeLiving(livingAgents(stage.token)) };
}

/** Who owns what has not ended, while the owners still live. */
async function restless(home: string): Promise<string> {
  const store = await openSqliteStore({ home, writer: 'main' });
  const { items } = await store.runs({ limit: RUNS_LOOKED_AT });
  const open = items.filter(({ ended }) => !ended);
  const told: string[] = [];
  for (const { run, status, owner, epoch, version } of open) {
    const rows = await store.events(run, Math.max(0, version - 4), 4);
    const events = rows.map(({ type, epoch: by, at }) => `${type}(${by ?? '-'} ${at.slice(17)})`).join(' ');
    told.push(`${run} ${status} of ${owner ?? 'nobody'} in epoch ${epoch}: ${events}`);
  }
  await store.close();
  return told.join('; ');
}

async function stop(stage: Stage, process: ProgramProcess): Promise<void> {
  process.signal('SIGTERM');
  if (await within(STOP_MS_MAX, () => process.exit !== undefined)) return void (await process.ended);
  stage.problems.push(`${process.name} did not stop: ${process.last.slice(-5).join(' / ')}`);
  await process.kill();
}

import type { JobStory, order } from '../../src/core/job/job-story.js';
import type { FoldedRun } from '../../src/engine/folded-run.js';
import type { Ports } from '../../src/engine/ports.js';
import { sealEvents } from '../../src/engine/seal.js';
import { openHome } from '../../src/wiring.js';
import type { JobStage } from '../jobs/job-stage.js';

const EVENTS_AT_ONCE = 1_000;

/** Puts lives of jobs into the log of a home that nobody serves yet, sealed and chained as the engine does it. */
export async function writeJobs(stage: JobStage, stories: Readonly<Record<string, JobStory>>): Promise<void> {
  const home = await openHome({ home: stage.home, env: {}, writer: 'main' });
  try {
    for (const [run, story] of Object.entries(stories)) {
      const machine = home.machines.get('job');
      const version = { version: 0, head: '', epoch: 0, snapshotVersion: 0 };
      const folded: FoldedRun = { run, machine, state: machine.initialState(), ...version };
      for (let first = 0; first < story.events.length; first += EVENTS_AT_ONCE) {
        const events = story.events.slice(first, first + EVENTS_AT_ONCE);
        await home.store.append([sealEvents(home as unknown as Ports, folded, events, { actor: 'eva' }, {})]);
      }
    }
  } finally {
    await home.close();
  }
}

/** Orders of written jobs name agents that exist and answer nothing for long. */
export function slowOrder(changes: Parameters<typeof order>[0] = {}) {
  const phase = { role: 'Worker', agent: 'slow', onRetry: null, instructions: null, checks: null };
  return { ...changes, phases: [{ name: 'implementation', ...phase }] };
}

import { nodeHasher } from '../../src/system/node-hasher.js';
import { openHome } from '../../src/wiring.js';
import { ConsoleStage } from './console-stage.js';
import { type Seed, seedJobs } from './seeded-jobs.js';

/** A served home with jobs that were lived before, and agents that are at work now. */
export class SeededStage extends ConsoleStage {
  async seed(seeds: readonly Seed[]): Promise<void> {
    const home = await openHome({ home: this.jobs.home, env: {}, writer: 'main' });
    await seedJobs(home.store, nodeHasher, seeds);
    await home.close();
  }

  /** So many that some wait for a place. */
  async atWork(): Promise<void> {
    const titles = ['Cut p99 of /charges below 120 ms', 'Replace moment with Temporal', 'Contract tests for payouts'];
    const more = ['Bisect slow cold start', 'Embed fonts in invoice PDFs', 'Split billing module into services'];
    const order = { repo: this.jobs.repo, supervisor: 'none', agent: 'slow', activate: true };
    for (const [index, name] of [...titles, ...more].entries()) {
      const id = name
        .toLowerCase()
        .split(' ')
        .slice(0, 2)
        .join('-')
        .replace(/[^a-z0-9-]/g, '');
      const after = index === 5 ? { after: ['bisect-slow'] } : {};
      await this.client.jobs.create({ ...order, ...after, id, name, prompt: name });
    }
    await this.until('cut-p99', 'RUNNING');
  }
}

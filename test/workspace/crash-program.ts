/** Does one deed, so that it can be killed meanwhile. Says when it begins. */
import { readFileSync } from 'node:fs';
import type { Perform } from '../../src/core/kernel/effect.js';
import { createScrub } from '../../src/engine/scrub.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { nodeHasher } from '../../src/system/node-hasher.js';
import { createJobDeeds } from '../../src/workspace/create-job-deeds.js';
import { RUN } from './stage.js';

const { home, environment, deed, scope } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const table = { add: async () => true, remove: async () => {}, list: async () => [] };
const deeds = createJobDeeds({
  home,
  environment,
  gate: { table, worker: 'worker-0', scope, oneMachine: true },
  clock: nodeClock,
  hasher: nodeHasher,
  scrub: createScrub([]),
  secretsIn: () => [],
  store: { body: async () => new TextEncoder().encode(deed.answer) },
});
console.log('begins');
await deeds.perform({ run: RUN, epoch: 1 }, { type: 'Perform', ...deed } as Perform, new AbortController().signal);

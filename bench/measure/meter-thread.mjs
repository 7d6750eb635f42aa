// The provider, or the proxy before it, in a thread of its own: as in life, neither shares its event loop with the agent.
import { parentPort, workerData } from 'node:worker_threads';

const { module, part, scenario, upstream } = workerData;
const baton = await import(module);

if (part === 'provider') {
  const { url } = await baton.startModelServer(scenario, { servedMax: 100 });
  parentPort.postMessage({ url });
} else {
  const meter = await baton.createMeter({
    prices: baton.KNOWN_PRICES,
    clock: baton.nodeClock,
    scrub: baton.createScrub([]),
    onUsage() {},
    onStop() {},
    onProvider(_login, failure) {
      throw new Error(failure.reason);
    },
  });
  const login = { mode: 'key', key: 'sk-bench-0123456789', header: 'authorization' };
  const provider = { baseUrl: `${upstream}/v1`, login };
  const budget = new baton.Budget({ tokensMax: 1e15, costMicroUsdMax: 1e15 });
  parentPort.postMessage(meter.issue({ run: 'bench', handoff: 'h1', login: 'key', upstream: provider, budget }));
}

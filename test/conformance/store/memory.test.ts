import type { Clock } from '../../../src/engine/ports.js';
import { MemoryJournal } from '../../../src/store/memory/journal.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { HASHER } from './sealed.js';
import { describeStore } from './suite.js';

describeStore('memory', async () => {
  const journal = new MemoryJournal(HASHER);
  let passedMs = 0;
  const clock: Clock = {
    nowMs: () => passedMs,
    monotonicMs: () => passedMs,
    after(delayMs, call) {
      const timer = setTimeout(call, delayMs);
      return () => clearTimeout(timer);
    },
  };
  const open = async () => new MemoryStore(journal, clock);
  return {
    store: await open(),
    reopen: open,
    second: open,
    async kill(_, worker) {
      journal.workers.delete(worker);
    },
    passMs(ms) {
      passedMs += ms;
    },
    close: async () => {},
  };
});

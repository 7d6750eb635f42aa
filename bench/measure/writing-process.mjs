// Another process that writes events at a pace, a few at a time. Arguments: bundle, home, events a second, seconds.
import { setTimeout as sleep } from 'node:timers/promises';
import { Appends, mustBeAppended } from './appends.mjs';

const [bundle, home, rate, seconds] = process.argv.slice(2);
const baton = await import(bundle);
const store = await baton.openSqliteStore({ home, writer: 'main' });
const appends = new Appends(baton);
const run = appends.newRun();
const startedMs = performance.now();
const all = Number(rate) * Number(seconds);
for (let written = 0; written < all; ) {
  const due = Math.min(all, Math.floor(((performance.now() - startedMs) / 1_000) * Number(rate)));
  if (due > written) mustBeAppended(await store.append([appends.next(run, { events: due - written, owes: false })]));
  written = Math.max(written, due);
  await sleep(10);
}
process.send({ written: all, ms: performance.now() - startedMs });
process.disconnect();
await store.close();

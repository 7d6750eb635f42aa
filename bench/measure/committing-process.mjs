// Another process that commits now and then and says when each commit was durable. Arguments: bundle, home, commits.
import { setTimeout as sleep } from 'node:timers/promises';
import { Appends } from './appends.mjs';

const [bundle, home, commits] = process.argv.slice(2);
const baton = await import(bundle);
const store = await baton.openSqliteStore({ home, writer: 'main' });
const appends = new Appends(baton);
const run = appends.newRun();
const durable = [];
for (let commit = 0; commit < Number(commits); commit += 1) {
  await sleep(5 + Math.random() * 20);
  const [{ position }] = await store.append([appends.next(run)]);
  durable.push([position, Number(process.hrtime.bigint()) / 1e6]);
}
await sleep(200);
process.send(durable);
process.disconnect();
await store.close();

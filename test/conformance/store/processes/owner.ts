/** A worker that owns a run which owes something, and waits to be killed. */
import { openSqliteStore } from '../../../../src/store/sqlite/open.js';
import { seal } from '../sealed.js';

const [home = '', worker = ''] = process.argv.slice(2);
const store = await openSqliteStore({ home, writer: 'main' });
await store.enlist(worker, 'host');
await store.append([seal(`run-of-${worker}`, { owner: worker, summary: { owes: true } })]);
process.stdout.write('owns\n');
setInterval(() => {}, 1_000);

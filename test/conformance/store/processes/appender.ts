/** Appends to a run of its own for ever and names each version once it is acknowledged. */
import { openSqliteStore } from '../../../../src/store/sqlite/open.js';
import { seal } from '../sealed.js';

const [home = '', run = ''] = process.argv.slice(2);
const store = await openSqliteStore({ home, writer: 'main' });
process.stdout.write('open\n');
for (let expected = 0, prev = ''; ; expected += 1) {
  const append = seal(run, { expected, prev, data: [JSON.stringify({ text: 'x'.repeat(expected % 5_000) })] });
  const [appended] = await store.append([append]);
  if (appended?.type !== 'appended') throw new Error(`not appended: ${JSON.stringify(appended)}`);
  prev = append.events[0]?.hash ?? '';
  process.stdout.write(`${appended.version}\n`);
}

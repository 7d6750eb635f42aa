import { verifyJournal } from '../../../src/engine/audit/verify-journal.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { nodeHasher } from '../../../src/system/node-hasher.js';
import { appendNext } from '../../conformance/store/sealed.js';
import { allRows } from './examine-home.js';

export type Afterwards = { lost: string[]; problems: string[] };

/** Opens a home once the trouble is over: everything acknowledged is there, the chain is whole, and it takes more. */
export async function worksAgain(home: string, acknowledged: Iterable<string>, when: string): Promise<Afterwards> {
  try {
    const store = await openSqliteStore({ home, writer: 'main' });
    try {
      const { ok, findings } = await verifyJournal(store, nodeHasher);
      const keys = new Set((await allRows(store)).map(({ key }) => key));
      const lost = [...acknowledged].filter((key) => !keys.has(key)).map((key) => `${when}: ${key} is lost`);
      const problems = ok ? [] : findings.map(({ says }) => `${when}: ${says}`);
      const appended = await appendNext(store, 'afterwards');
      if (appended.type !== 'appended') problems.push(`${when}: it takes nothing more (${appended.type})`);
      return { lost, problems };
    } finally {
      await store.close();
    }
  } catch (problem) {
    return { lost: [], problems: [`${when}: it does not work again: ${String(problem)}`] };
  }
}

import { verifyJournal } from '../../../src/engine/audit/verify-journal.js';
import type { EventRow, EventStore } from '../../../src/engine/ports.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { nodeHasher } from '../../../src/system/node-hasher.js';
import { type Broken, brokenPromises } from './journal-promises.js';
import type { Stage } from './stage.js';

const PAGE = 1_000;

export type Examined = Broken & { events: number; batches: number; runs: number };

/** Opens the home after everybody has gone and looks at all that must hold. */
export async function examineHome({ home, acknowledged, claims }: Stage): Promise<Examined> {
  const store = await openSqliteStore({ home, writer: 'main' });
  try {
    const { ok, findings, events, batches, runs } = await verifyJournal(store, nodeHasher);
    const broken = brokenPromises(await allRows(store), acknowledged, claims);
    const unchained = ok ? [] : findings.map(({ says, run_id, seq }) => `${says} (${run_id ?? ''} ${seq ?? ''})`);
    const processes = (await store.processes.list({})).map(({ run, handoff, pid }) => {
      return `the process ${pid} of ${run} ${handoff} is still in the table`;
    });
    const other = [...broken.other, ...unchained, ...(await restlessRuns(store)), ...processes];
    return { ...broken, other, events, batches, runs };
  } finally {
    await store.close();
  }
}

export async function allRows(store: Pick<EventStore, 'feed'>): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  for (;;) {
    const page = await store.feed(rows.at(-1)?.position ?? 0, PAGE);
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

/** Every run has ended, nobody owns it, and nobody is asked anything. */
async function restlessRuns(store: EventStore): Promise<string[]> {
  const problems: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await store.runs({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const { run, status, ended, owes, wakeAtMs, owner } of items) {
      if (!ended || owes || wakeAtMs !== null) problems.push(`${run} is stuck: ${status}, owner ${owner}`);
    }
    after = next ?? undefined;
  } while (after !== undefined);
  const open = await store.inbox({ open: true, limit: PAGE });
  return [...problems, ...open.map(({ run, key }) => `${run}: ${key} is still asked`)];
}

import { eventHash, GENESIS } from '../chain.js';
import type { EventStore, Hash, Hasher, RunId } from '../ports.js';
import type { Report } from './finding.js';
import type { Link, RunChains } from './run-chains.js';

const PAGE = 500;

export type RunRows = Pick<EventStore, 'runs' | 'load'>;

/** Every run's row says the version and head that its chain has, and no row or chain stands alone. */
export async function checkRunRows(store: RunRows, hasher: Hasher, chains: RunChains, report: Report): Promise<void> {
  const rowless = new Set(chains.links.keys());
  let after: string | undefined;
  do {
    const page = await store.runs({ parts: true, limit: PAGE, ...(after !== undefined && { after }) });
    for (const row of page.items) {
      rowless.delete(row.run);
      if (!agrees(row, chains.links.get(row.run))) await lookCloser(store, hasher, row.run, chains, report);
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  for (const run of rowless) {
    const position = chains.links.get(run)?.firstPosition;
    const says = `the run ${run} has events and no row`;
    report({ kind: 'run-row-missing', says, run_id: run, ...(position !== undefined && { position }) });
  }
}

function agrees({ version, head }: { version: number; head: Hash }, link: Link | undefined): boolean {
  // A last event whose hash was changed has its finding already: the row names the right one.
  return link !== undefined && link.version === version && (link.head === head || link.rightHead === head);
}

/** The run may just have moved on: its row and the events behind what was read, seen at one moment, decide. */
async function lookCloser(
  store: RunRows,
  hasher: Hasher,
  run: RunId,
  chains: RunChains,
  report: Report,
): Promise<void> {
  const link = chains.links.get(run);
  const now = await store.load(run, link?.version ?? 0);
  if (!now) return;
  let version = link?.version ?? 0;
  let head = link?.head ?? GENESIS;
  for (const row of now.tail) {
    if (row.seq !== version + 1 || eventHash(hasher, head, row) !== row.hash) break;
    version = row.seq;
    head = row.hash;
  }
  if (version === now.version && head === now.head) return;
  if (version === 0) {
    report({ kind: 'run-without-events', says: `the run ${run} has a row and no events`, run_id: run });
    return;
  }
  const column = version === now.version ? 'head' : 'version';
  const says =
    column === 'head'
      ? `the row of ${run} names another last hash than its event ${version}`
      : `the row of ${run} says version ${now.version}, its events end at ${version}`;
  const position = link?.lastPosition;
  report({ kind: 'run-row-differs', says, run_id: run, column, ...(position !== undefined && { position }) });
}

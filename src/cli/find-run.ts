import { BatonError } from '../contracts/shared/errors.js';
import type { EventStore, RunRow } from '../engine/ports.js';
import { repositoryOf } from '../settings/repository-of.js';

const PAGE = 1_000;
const CANDIDATES_SHOWN_MAX = 10;

const NEWEST = 'LAST';

type Kind = 'job' | 'ledger';

/**
 * The run of that id, or the only one that begins so; LAST is the newest one of its kind about the repository around
 * the folder.
 */
export async function findRun(
  store: Pick<EventStore, 'run' | 'runs' | 'events'>,
  id: string,
  cwd?: string,
  kind: Kind = 'job',
): Promise<RunRow> {
  if (id === NEWEST) {
    const newest = await newestRun(store, kind, cwd === undefined ? undefined : repositoryOf(cwd));
    if (newest) return newest;
    const reason = `there is no ${kind === 'job' ? 'job' : 'operator run'} about the repository around ${cwd ?? 'this folder'} yet: LAST is the newest of them`;
    throw new BatonError('RUN_NOT_FOUND', reason, { run_id: id });
  }
  const exact = await store.run(id);
  if (exact) return exact;
  const found = id === '' ? [] : withoutChildren(await beginningWith(store, id));
  const [only] = found;
  if (!only) throw new BatonError('RUN_NOT_FOUND', `there is no run ${JSON.stringify(id)}`, { run_id: id });
  if (found.length === 1) return only;
  const candidates = found.slice(0, CANDIDATES_SHOWN_MAX).map(({ run, status }) => ({ run_id: run, status }));
  const shown = candidates.map(({ run_id, status }) => `${run_id} (${status})`).join('  ');
  throw new BatonError('AMBIGUOUS_ID', `${found.length} runs begin with ${JSON.stringify(id)}: ${shown}`, {
    candidates,
  });
}

/** Which repository a run is about stands in what it was ordered with. */
async function newestRun(
  store: Pick<EventStore, 'runs' | 'events'>,
  kind: Kind,
  folder?: string,
): Promise<RunRow | undefined> {
  const { items } = await store.runs({ kind, limit: folder === undefined ? 1 : PAGE });
  for (const row of items) {
    if (folder === undefined) return row;
    const [first] = await store.events(row.run, 0, 1);
    const { order } = JSON.parse(first?.data ?? '{}') as { order?: { repository?: { folder?: string } | string } };
    const about = order?.repository;
    if ((typeof about === 'object' ? about?.folder : about) === folder) return row;
  }
  return undefined;
}

/** Attempts begin with the name of their ledger, which is meant. */
function withoutChildren(rows: readonly RunRow[]): readonly RunRow[] {
  const named = new Set(rows.map(({ run }) => run));
  return rows.filter(({ parent }) => parent === null || !named.has(parent));
}

async function beginningWith(store: Pick<EventStore, 'runs'>, beginning: string): Promise<RunRow[]> {
  const found: RunRow[] = [];
  let after: string | undefined;
  do {
    const page = await store.runs({ limit: PAGE, ...(after !== undefined && { after }) });
    found.push(...page.items.filter(({ run }) => run.startsWith(beginning)));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return found;
}

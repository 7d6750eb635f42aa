import { BatonError } from '../contracts/shared/errors.js';
import type { EventStore, RunRow } from '../engine/ports.js';
import { repositoryOf } from '../settings/repository-of.js';

const PAGE = 1_000;
const CANDIDATES_SHOWN_MAX = 10;

const NEWEST = 'LAST';

/** The run of that id, or the only one that begins so; LAST is the newest job of the repository around the folder. */
export async function findRun(store: Pick<EventStore, 'run' | 'runs'>, id: string, cwd?: string): Promise<RunRow> {
  if (id === NEWEST) {
    const project = cwd === undefined ? undefined : repositoryOf(cwd);
    const filter = { kind: 'job', limit: 1, ...(project !== undefined && { project }) };
    const [newest] = (await store.runs(filter)).items;
    if (newest) return newest;
  }
  const exact = await store.run(id);
  if (exact) return exact;
  const found = id === '' ? [] : await beginningWith(store, id);
  const [only] = found;
  if (!only) throw new BatonError('RUN_NOT_FOUND', `there is no run ${JSON.stringify(id)}`, { run_id: id });
  if (found.length === 1) return only;
  const candidates = found.slice(0, CANDIDATES_SHOWN_MAX).map(({ run, status }) => ({ run_id: run, status }));
  const shown = candidates.map(({ run_id, status }) => `${run_id} (${status})`).join('  ');
  throw new BatonError('AMBIGUOUS_ID', `${found.length} runs begin with ${JSON.stringify(id)}: ${shown}`, {
    candidates,
  });
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

import { BatonError } from '../../contracts/shared/errors.js';
import { isFinal } from '../../core/job/job-status.js';
import type { Baton } from '../../engine/opened-baton.js';
import { findRun } from '../find-run.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { printable, printableJson } from '../printable.js';

const PAGE = 500;

/** Frees what ended jobs take on the disk; work that is in no branch stays. */
export const runJobClean: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const [id] = parsed.positionals;
    const runs = id === undefined ? await endedJobs(baton) : [await endedJob(baton, id, io.cwd)];
    const items: object[] = [];
    for (const run of runs) {
      const { removed, kept } = await baton.cleanUp(run);
      items.push({ job_id: run, removed, kept });
      if (parsed.values.json) continue;
      io.err(
        `${printable(run)}: ${removed ? 'freed' : 'left as it is'}${kept === null ? '' : `; kept ${printable(kept)}`}\n`,
      );
    }
    if (parsed.values.json) io.out(`${printableJson({ items, next: null })}\n`);
    else if (runs.length === 0) io.err('No job has ended yet.\n');
    return 0;
  });

async function endedJob({ store, jobs }: Baton, id: string, cwd: string): Promise<string> {
  const { run } = await findRun(store, id, cwd);
  const { status } = await jobs.state(run);
  if (isFinal(status)) return run;
  throw new BatonError('INVALID_TRANSITION', `${run} is ${status}; its workspace is still needed`, { status });
}

async function endedJobs({ store }: Baton): Promise<string[]> {
  const found: string[] = [];
  for (const status of ['SUCCESS', 'CANCELED']) {
    let after: string | undefined;
    do {
      const page = await store.runs({ kind: 'job', status, limit: PAGE, ...(after !== undefined && { after }) });
      found.push(...page.items.map(({ run }) => run));
      after = page.next ?? undefined;
    } while (after !== undefined);
  }
  return found;
}

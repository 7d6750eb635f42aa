import type { Places } from '../job/job-object.js';
import type { EventStore, RunId, RunRow } from '../ports.js';
import type { EndedAttempt } from './ended-attempt.js';
import type { Files, FileWriter } from './file-writer.js';
import type { HistoryFiles } from './history-files.js';
import { HistoryFold } from './history-fold.js';
import { HISTORY_BYTES_MAX, HISTORY_FILE, HistoryWriter } from './history-writer.js';
import { jobEvents } from './job-events.js';
import { interactionOf, type Texts } from './job-history.js';
import { manifestEntry, manifestOf, outcomeOf } from './job-manifest.js';

export const MANIFEST_FILE = 'job_manifest.json';
export const OUTCOME_FILE = 'latest-outcome.json';
/** Jobs whose folded state is kept; another one is folded again from the store. */
const JOBS_MAX = 100;

type Around = {
  store: Pick<EventStore, 'events' | 'body'>;
  files: Files;
  history: HistoryFiles;
  /** Where, when and how often anything is written. */
  writer: FileWriter;
  places: Places;
  /** The folder of a job's files. */
  folderOf(run: RunId): string;
  composed?: (run: RunId) => Texts['composed'];
  historyBytesMax?: number;
};

type Tracked = {
  fold: HistoryFold;
  seq: number;
  history: HistoryWriter;
  entries: ReturnType<typeof manifestEntry>[];
  last: EndedAttempt | undefined;
  /** Not in jobHistory.json yet, as far as is known. */
  pending: EndedAttempt[];
  /** Something was committed since it was read last. */
  behind: boolean;
  folding: Promise<void>;
};

/**
 * The three files of each job, behind its commits. Only who drives a job keeps its files.
 *
 * J1 A change names only the job; what it was is read from the store when the files are written.
 * J2 Files are written side by side, yet a job is folded by one task at a time.
 */
export class JobFiles {
  private readonly around: Around;
  private readonly tracked = new Map<RunId, Tracked>();

  constructor(around: Around) {
    this.around = around;
  }

  /** Something was committed. Costs nothing now; of many changes only the last is written. At rest none is expected. */
  changed(run: RunId, { rests = false } = {}): void {
    const { writer, places } = this.around;
    const folder = this.around.folderOf(run);
    const tracked = this.tracked.get(run);
    if (tracked) tracked.behind = true;
    const how = { last: rests };
    writer.putBy(`${folder}/${HISTORY_FILE}`, () => this.writeHistory(run), how);
    const manifest = async (): Promise<string> => {
      const { fold, entries } = await this.caughtUp(run);
      return pretty(manifestOf(run, fold.live, entries, places));
    };
    writer.put(`${folder}/${MANIFEST_FILE}`, manifest, how);
    const outcome = async (): Promise<string> => {
      const { fold, last } = await this.caughtUp(run);
      const { live } = fold;
      const interaction = last && (await interactionOf(run, last, this.textsOf(run)));
      return pretty(outcomeOf(run, live, interaction, places));
    };
    writer.put(`${folder}/${OUTCOME_FILE}`, outcome, how);
  }

  /** After a claim: what the last owner left is looked at again, and the store wins. */
  claimed(run: RunId): void {
    this.forget(run);
    this.changed(run);
  }

  /** Whoever was killed just after a job had come to rest left files that nobody would look at again. */
  async repair(rows: readonly Pick<RunRow, 'run' | 'status' | 'owner'>[]): Promise<void> {
    for (const { run, status, owner } of rows) {
      if (owner === null && (await this.statusInFile(run)) !== status) this.changed(run, { rests: true });
    }
  }

  private async statusInFile(run: RunId): Promise<unknown> {
    try {
      const bytes = await this.around.files.read(`${this.around.folderOf(run)}/${OUTCOME_FILE}`);
      return (JSON.parse(new TextDecoder().decode(bytes)) as { status?: unknown }).status;
    } catch {
      return undefined; // not there, or not whole: it is written again
    }
  }

  /** Before the process ends, and when somebody asks for the files. */
  flush(): Promise<void> {
    return this.around.writer.flush();
  }

  forget(run: RunId): void {
    this.tracked.get(run)?.history.forget();
    this.tracked.delete(run);
  }

  private async writeHistory(run: RunId): Promise<void> {
    const job = await this.caughtUp(run);
    const attempts = job.pending;
    job.pending = [];
    try {
      await job.history.write(job.fold, attempts, job.entries.length);
    } catch (problem) {
      // How far it came is not known: begin with what is on the disk and in the store.
      this.forget(run);
      throw problem;
    }
  }

  private async caughtUp(run: RunId): Promise<Tracked> {
    const job = this.tracked.get(run) ?? this.track(run);
    job.folding = job.folding.catch(() => {}).then(() => (job.behind ? this.catchUp(run, job) : undefined));
    await job.folding;
    return job;
  }

  private async catchUp(run: RunId, job: Tracked): Promise<void> {
    job.behind = false;
    try {
      await this.foldRest(run, job);
    } catch (problem) {
      job.behind = true;
      throw problem;
    }
  }

  private async foldRest(run: RunId, job: Tracked): Promise<void> {
    for await (const { seq, event } of jobEvents(this.around.store, run, job.seq)) {
      job.fold.add(event);
      job.seq = seq;
      for (const attempt of job.fold.take()) {
        job.entries.push(manifestEntry(attempt));
        job.pending.push(attempt);
        job.last = attempt;
      }
    }
  }

  private track(run: RunId): Tracked {
    const [oldest] = this.tracked.keys();
    if (oldest !== undefined && this.tracked.size >= JOBS_MAX) this.forget(oldest);
    const { files, history, historyBytesMax: bytesMax = HISTORY_BYTES_MAX } = this.around;
    const around = { files, history, texts: this.textsOf(run), bytesMax };
    const job: Tracked = {
      fold: new HistoryFold(),
      seq: 0,
      history: new HistoryWriter(around, run, this.around.folderOf(run)),
      entries: [],
      last: undefined,
      pending: [],
      behind: true,
      folding: Promise.resolve(),
    };
    this.tracked.set(run, job);
    return job;
  }

  private textsOf(run: RunId): Texts {
    const { store, composed } = this.around;
    const compose = composed?.(run);
    return { body: (sha256) => store.body(sha256), ...(compose && { composed: compose }) };
  }
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

import type { BatonClient } from '../client/create-client.js';
import { BatonError } from '../contracts/shared/errors.js';
import { type FoldedRun, foldLoaded, foldRows } from '../engine/folded-run.js';
import type { Machines } from '../engine/machines.js';
import type { RunRow } from '../engine/ports.js';
import type { Pulse } from './pulse.js';
import type { RemoteStore } from './remote-store.js';

const PAGE = 1_000;

type Surroundings = { client: BatonClient; store: RemoteStore; pulse: Pulse; machines: Machines };
/** How far a run is driven: until it rests, by one handoff, or only watched. */
export type Driving = 'run' | 'step' | 'watch';

/** Runs of a server: folded here, driven there. */
export class RemoteRuns {
  private readonly around: Surroundings;
  private readonly driving: Driving;
  private readonly folded = new Map<string, FoldedRun>();
  private readonly begun = new Set<string>();

  constructor(around: Surroundings, driving: Driving) {
    this.around = around;
    this.driving = driving;
  }

  /** What the same events make of it here. */
  async stateOf(kind: string, run: string): Promise<object> {
    const { store, machines } = this.around;
    const row = await store.run(run);
    if (row?.kind !== kind) {
      const reason = row ? `${run} is not a ${kind} but a ${row.kind}` : `there is no ${kind} ${run}`;
      throw new BatonError('RUN_NOT_FOUND', reason, { run_id: run });
    }
    const empty = { kind, version: 0, head: '', epoch: row.epoch, owner: row.owner, tail: [] };
    const folded = this.folded.get(run) ?? foldLoaded(run, machines.get(kind), empty);
    this.folded.set(run, folded);
    for (let more = true; more; ) {
      const rows = await store.events(run, folded.version, PAGE);
      foldRows(folded, rows);
      more = rows.length === PAGE;
    }
    return folded.state;
  }

  /** A worker of the server takes it, when none does already. */
  async drive(run: string): Promise<boolean> {
    if (this.driving === 'watch') return false;
    const row = await this.around.store.run(run);
    const idle = row !== undefined && row.owner === null && (row.owes || row.wakeAtMs !== null);
    if (this.begun.has(run) && (this.driving === 'step' || !idle)) return false;
    this.begun.add(run);
    if (row?.kind === 'job') await this.around.client.jobs.act(run, this.driving);
    return true;
  }

  /** It is driven there. */
  owns(): boolean {
    return false;
  }

  watch(run: string, call: () => void): () => void {
    return this.around.pulse.watch(run, call);
  }

  rested(run: string): Promise<RunRow> {
    const { pulse, store } = this.around;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        unwatch();
        forget();
      };
      const fail = (failure: unknown): void => {
        end();
        reject(failure);
      };
      const look = async (): Promise<void> => {
        const row = await store.run(run);
        if (!row || row.owes || row.wakeAtMs !== null) return;
        end();
        resolve(row);
      };
      const unwatch = pulse.watch(run, () => void look().catch(fail));
      const forget = pulse.onFailure(fail);
    });
  }

  /** What was begun goes on at the server. */
  async stop(): Promise<void> {}

  untilIdle(): Promise<void> {
    const reason = 'the workers of the server take what is due by themselves; watch it: baton events -f';
    return Promise.reject(new BatonError('USAGE', reason));
  }
}

import { SYSTEM_KIND, SYSTEM_RUN } from '../../core/kernel/system-run.js';
import type { RefusedRequests, SystemCommand } from '../../core/system/system-messages.js';
import type { Baton } from '../../engine/opened-baton.js';

type Refusal = Omit<RefusedRequests, 'count'>;

/** How often they are written down, and how many kinds of them at once. What does not fit is counted as one. */
const TELL_MS = 1_000;
const KINDS_MAX = 50;
const PATH_LENGTH_MAX = 200;
const REST: Refusal = { code: 'RATE_LIMITED', method: '*', path: 'many others', from: '*', by: null };

/** Writes down who was turned away, together and not one by one, so that nobody can fill the log by being refused. */
export class Refusals {
  private readonly baton: Pick<Baton, 'engine' | 'clock'>;
  private counts = new Map<string, RefusedRequests>();
  private telling: (() => void) | undefined;

  constructor(baton: Pick<Baton, 'engine' | 'clock'>) {
    this.baton = baton;
  }

  note(refusal: Refusal): void {
    this.add({ ...refusal, path: refusal.path.slice(0, PATH_LENGTH_MAX) }, 1);
    this.telling ??= this.baton.clock.after(TELL_MS, () => void this.tell());
  }

  /** What could not be written is tried again with the next ones. */
  async tell(): Promise<void> {
    this.telling?.();
    this.telling = undefined;
    const refused = [...this.counts.values()];
    if (refused.length === 0) return;
    this.counts = new Map();
    const command: SystemCommand = { type: 'NoteRefused', atMs: this.baton.clock.nowMs(), refused };
    const { engine } = this.baton;
    await engine.send(SYSTEM_RUN, command, { actor: 'server' }, { create: SYSTEM_KIND }).catch(() => {
      for (const { count, ...refusal } of refused) this.add(refusal, count);
    });
  }

  private add(refusal: Refusal, count: number): void {
    const key = JSON.stringify(refusal);
    const kept = this.counts.has(key) || this.counts.size < KINDS_MAX ? refusal : REST;
    const at = JSON.stringify(kept);
    this.counts.set(at, { ...kept, count: (this.counts.get(at)?.count ?? 0) + count });
  }
}

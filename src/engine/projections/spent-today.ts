import type { JobEvent } from '../../core/job/job-messages.js';
import type { Usage } from '../../core/kernel/effect.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import { type DaySpent, dayBeginsMs, dayOf } from '../../core/system/day-budget.js';
import type { EventRow, EventStore } from '../ports.js';
import { SESSION_SPENDS, sessionSpending } from './session-spending.js';

type Store = Pick<EventStore, 'feed' | 'position' | 'run'>;

const PAGE = 500;
const NOTHING: DaySpent = { costMicroUsd: 0, tokens: 0 };
/** Clocks of several processes differ a little, and an answer may have come before midnight and be read after it. */
const LOOK_BACK_MS = 3_600_000;
const TYPES: ReadonlySet<string> = new Set(['HandoffAnswered', 'HandoffCollected', 'HandoffEnded', 'JobCanceled']);

/**
 * What was spent since the day began, by project and in all. The beginning of the day is looked for in the log, not
 * read up to; afterwards only what was written since is read, whoever wrote it.
 */
export class SpentToday {
  private readonly store: Store;
  private day = Number.NaN;
  private position = 0;
  private spent = new Map<string | null, DaySpent>();
  /** Attempts whose answer was metered: what the agent says of itself counts no more. */
  private metered = new Map<string, boolean>();
  private projects = new Map<string, string | null>();
  private reading: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.store = store;
  }

  /** By project; null is all of them. One after the other: two who read the same events would count them twice. */
  at(nowMs: number): Promise<(project: string | null) => DaySpent> {
    const next = this.reading.then(() => this.catchUp(dayOf(nowMs)));
    this.reading = next.catch(() => undefined);
    return next;
  }

  private async catchUp(day: number): Promise<(project: string | null) => DaySpent> {
    if (day !== this.day) await this.begin(day);
    for (;;) {
      const rows = await this.store.feed(this.position, PAGE);
      for (const row of rows) {
        await this.see(row);
        this.position = row.position;
      }
      if (rows.length < PAGE) return (project) => this.spent.get(project) ?? NOTHING;
    }
  }

  private async begin(day: number): Promise<void> {
    this.day = Number.NaN;
    this.position = await this.lastBefore(dayBeginsMs(day) - LOOK_BACK_MS);
    [this.spent, this.metered, this.projects] = [new Map(), new Map(), new Map()];
    this.day = day;
  }

  /** The last position written before a time, by halving. */
  private async lastBefore(timeMs: number): Promise<number> {
    let before = 0;
    let behind = (await this.store.position()) + 1;
    while (behind - before > 1) {
      const middle = Math.floor((before + behind) / 2);
      const [row] = await this.store.feed(middle - 1, 1);
      if (row && Date.parse(row.at) < timeMs) before = middle;
      else behind = middle;
    }
    return before;
  }

  private async see(row: EventRow): Promise<void> {
    const { run } = row;
    const used = SESSION_SPENDS.has(row.type) ? usedInSession(row) : this.usedInHandoff(row);
    if (!used || dayOf(used.atMs) !== this.day) return;
    const { usage } = used;
    const project = await this.projectOf(run);
    for (const whose of project === null ? [null] : [project, null]) this.add(whose, usage);
  }

  private usedInHandoff({ run, type, data }: EventRow): Used | undefined {
    if (!TYPES.has(type)) return undefined;
    const event = { ...JSON.parse(data), type } as JobEvent;
    const usage = this.usedBy(run, event);
    return usage && { usage, atMs: event.atMs };
  }

  /** What this event tells of that no earlier one has told. */
  private usedBy(run: string, event: JobEvent): Usage | undefined {
    switch (event.type) {
      case 'HandoffAnswered':
        this.metered.set(run, tokensOf(event.usage) + event.usage.costMicroUsd > 0);
        return event.usage;
      case 'HandoffCollected':
        return this.metered.get(run) ? undefined : (event.reading.reported ?? undefined);
      case 'HandoffEnded':
        this.metered.delete(run);
        return event.usage;
      case 'JobCanceled':
        this.metered.delete(run);
        return event.used;
      default:
        return undefined;
    }
  }

  private async projectOf(run: string): Promise<string | null> {
    const known = this.projects.get(run);
    if (known !== undefined) return known;
    const project = (await this.store.run(run))?.project ?? null;
    this.projects.set(run, project);
    return project;
  }

  private add(project: string | null, usage: Usage): void {
    const { costMicroUsd, tokens } = this.spent.get(project) ?? NOTHING;
    this.spent.set(project, {
      costMicroUsd: costMicroUsd + usage.costMicroUsd,
      tokens: tokens + tokensOf(usage),
    });
  }
}

type Used = { usage: Usage; atMs: number };

function usedInSession({ type, data, at }: EventRow): Used | undefined {
  const spent = sessionSpending({ ...JSON.parse(data), type } as SessionEvent);
  return spent && { usage: spent.usage, atMs: Date.parse(at) };
}

function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

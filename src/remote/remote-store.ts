import type { BatonClient } from '../client/create-client.js';
import { isBatonError } from '../contracts/shared/errors.js';
import type { Looking } from '../engine/desk.js';
import type { EventRow, InboxRow, RunFilter, RunRow } from '../engine/ports.js';
import type { Pulse } from './pulse.js';
import { eventRow, inboxRow, runRow } from './rows.js';

type Reads = Looking['store'];

/** So many a server tells at once. */
const PAGE = 1_000;

/** The journal of a server, for whoever reads it. */
export class RemoteStore implements Reads {
  private readonly client: BatonClient;
  private readonly pulse: Pulse;

  constructor(client: BatonClient, pulse: Pulse) {
    this.client = client;
    this.pulse = pulse;
  }

  async run(run: string): Promise<RunRow | undefined> {
    try {
      return runRow(await this.client.run(run));
    } catch (failure) {
      if (isBatonError(failure) && failure.code === 'RUN_NOT_FOUND') return undefined;
      throw failure;
    }
  }

  async runs({ limit, search, ...filter }: RunFilter): Promise<{ items: readonly RunRow[]; next: string | null }> {
    const items: RunRow[] = [];
    for (let after = filter.after; ; ) {
      const page = await this.client.runs({
        ...filter,
        ...(search !== undefined && { q: search }),
        ...(after !== undefined && { after }),
        limit: Math.min(PAGE, limit - items.length),
      });
      items.push(...page.items.map(runRow));
      if (page.next === null || items.length >= limit) return { items, next: page.next };
      after = page.next;
    }
  }

  /** Answered ones are told one by one. */
  async inbox({ after = 0, limit }: { after?: number; limit: number }): Promise<readonly InboxRow[]> {
    const { items } = await this.client.inbox({ after, limit: Math.min(PAGE, limit) });
    return items.map(inboxRow);
  }

  async events(run: string, seq: number, limit: number): Promise<readonly EventRow[]> {
    return (await this.client.eventPage({ run, from: seq + 1, limit: Math.min(PAGE, limit) })).items.map(eventRow);
  }

  async feed(after: number, limit: number): Promise<readonly EventRow[]> {
    return (await this.client.eventPage({ after, limit: Math.min(PAGE, limit) })).items.map(eventRow);
  }

  async position(): Promise<number> {
    return (await this.client.system()).position;
  }

  /** The server takes what dead workers had. */
  async isGone(): Promise<boolean> {
    return false;
  }

  onCommit(wake: (position: number) => void): () => void {
    return this.pulse.watchAll(() => wake(0));
  }
}

import type { BatonClient } from '../client/create-client.js';
import type { StreamState } from '../client/event-stream.js';

type Call = () => void;

/** What happens at a server, as it happens: one stream for whoever watches anything. It begins with the first of them. */
export class Pulse {
  private readonly client: BatonClient;
  private readonly onState: (state: StreamState) => void;
  private readonly stop = new AbortController();
  private readonly ofRun = new Map<string, Set<Call>>();
  private readonly ofAll = new Set<Call>();
  private readonly failing = new Set<(failure: unknown) => void>();
  private begun = false;

  constructor(client: BatonClient, onState: (state: StreamState) => void) {
    this.client = client;
    this.onState = onState;
  }

  /** Calls after every event of a run, and whenever some may have been missed. */
  watch(run: string, call: Call): () => void {
    const calls = this.ofRun.get(run) ?? new Set();
    this.ofRun.set(run, calls.add(call));
    this.begin();
    return () => void calls.delete(call);
  }

  watchAll(call: Call): () => void {
    this.ofAll.add(call);
    this.begin();
    return () => void this.ofAll.delete(call);
  }

  /** Who is not allowed to look any more hears of nothing again. */
  onFailure(call: (failure: unknown) => void): () => void {
    this.failing.add(call);
    return () => void this.failing.delete(call);
  }

  end(): void {
    this.stop.abort();
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.follow().catch((failure) => {
      if (!this.stop.signal.aborted) for (const call of this.failing) call(failure);
    });
  }

  private async follow(): Promise<void> {
    const { position: after } = await this.client.system();
    const onState = (state: StreamState): void => {
      this.onState(state);
      if (state.name === 'live') this.wakeAll();
    };
    for await (const event of this.client.events({ after, signal: this.stop.signal, onState })) {
      for (const call of [...(this.ofRun.get(event.run_id) ?? []), ...this.ofAll]) call();
    }
  }

  /** Something may have happened while nobody listened. */
  private wakeAll(): void {
    for (const calls of [...this.ofRun.values(), this.ofAll]) for (const call of calls) call();
  }
}

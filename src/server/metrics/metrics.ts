import { Counter, Gauge, Registry } from 'prom-client';
import type { Baton } from '../../engine/opened-baton.js';
import type { EventRow } from '../../engine/ports.js';
import { HandoffMetrics } from './handoff-metrics.js';

const ITEMS_MAX = 1_000;
const RUNS_MAX = 1_000;

/** Figures for whoever watches over Baton, in the form of Prometheus. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly handoffs = new HandoffMetrics(this.registry);
  private readonly requests: Counter<'method' | 'route' | 'status'>;

  constructor(baton: Baton) {
    const registers = [this.registry];
    this.requests = new Counter({
      ...{ name: 'baton_http_requests_total', help: 'Requests that were answered', registers },
      labelNames: ['method', 'route', 'status'],
    });
    onLook('baton_position', 'Events in the log', registers, () => baton.store.position());
    onLook(
      'baton_inbox_open',
      'Items that wait for a person, up to 1000',
      registers,
      async () => (await items()).length,
    );
    onLook('baton_inbox_oldest_seconds', 'How long the oldest item waits', registers, async () => {
      const [oldest] = await items();
      return oldest ? Math.max(0, (baton.clock.nowMs() - Date.parse(oldest.askedAt)) / 1_000) : 0;
    });
    const queued = (status: string, kind = 'job') => baton.store.runs({ kind, status, limit: RUNS_MAX });
    onLook('baton_jobs_pending', 'Jobs that wait for an agent, up to 1000', registers, async () => {
      return (await queued('PENDING')).items.length;
    });
    onLook('baton_jobs_running', 'Jobs at work, up to 1000 of each kind', registers, async () => {
      return (await queued('RUNNING')).items.length + (await queued('REVIEWING')).items.length;
    });
    for (const status of ['running', 'blocked']) {
      onLook(`baton_ledgers_${status}`, `Ledgers that are ${status}, up to 1000`, registers, async () => {
        return (await queued(status, 'ledger')).items.length;
      });
    }
    function items() {
      return baton.inbox.open(0, ITEMS_MAX);
    }
  }

  see(row: EventRow): void {
    this.handoffs.see(row);
  }

  answered(method: string, route: string, status: number): void {
    this.requests.inc({ method, route, status });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }
}

function onLook(name: string, help: string, registers: Registry[], look: () => Promise<number>): void {
  new Gauge({
    ...{ name, help, registers },
    async collect() {
      this.set(await look());
    },
  });
}

import type { RunSummary } from '../../core/kernel/run-summary.js';
import type { AnyEvent, Machine } from '../machines.js';
import type { EventRow, InboxRow } from '../ports.js';

/** A question as the events alone tell it; the number people type is the store's. */
export type FoldedQuestion = Omit<InboxRow, 'item'>;

/** What the lists must say about a run, made from its events and nothing else. */
export class FoldedLists {
  readonly questions: FoldedQuestion[] = [];
  createdAt = '';
  updatedAt = '';
  private state: object;
  private readonly machine: Machine;
  private readonly run: string;

  constructor(run: string, machine: Machine) {
    this.run = run;
    this.machine = machine;
    this.state = machine.initialState();
  }

  get summary(): RunSummary {
    return this.machine.summary(this.state);
  }

  add({ type, data, at, seq }: EventRow): void {
    const event: AnyEvent = { ...JSON.parse(data), type };
    this.state = this.machine.evolve(this.state, event);
    if (seq === 1) this.createdAt = at;
    this.updatedAt = at;
    const change = this.machine.inbox(event);
    if (change && 'open' in change) this.ask(change.open, at);
    if (change && 'close' in change) this.answer(change.close, at);
  }

  /** Asking again under a key that is still open changes the question, not the item. */
  private ask({ key, kind, title, question, ...asked }: Asked, askedAt: string): void {
    const expiresAtMs = asked.expiresAtMs ?? null;
    const again = this.questions.find((one) => one.key === key && one.answeredAt === null);
    if (again) Object.assign(again, { kind, title, question, expiresAtMs });
    else this.questions.push({ run: this.run, key, kind, title, question, expiresAtMs, askedAt, answeredAt: null });
  }

  private answer(key: string, answeredAt: string): void {
    const open = this.questions.find((one) => one.key === key && one.answeredAt === null);
    if (open) open.answeredAt = answeredAt;
  }
}

type Asked = Extract<NonNullable<ReturnType<Machine['inbox']>>, { open: unknown }>['open'];

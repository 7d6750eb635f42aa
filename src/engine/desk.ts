import type { Budget } from '../contracts/api/cost-shapes.js';
import type { BudgetOrderBody } from '../contracts/generated/types/budget-order.js';
import type { Engine } from './engine.js';
import type { HandIn } from './job/hand-in.js';
import type { JobAct, Said } from './job/job-acts.js';
import type { JobService } from './job/job-service.js';
import type { Baton } from './opened-baton.js';
import type { EventStore } from './ports.js';
import type { HistoryObject } from './projections/job-history.js';
import type { Origin } from './seal.js';

/** Where runs are looked at. */
export type Looking = Pick<Baton, 'clock' | 'stored' | 'spent' | 'close'> & {
  store: Pick<EventStore, 'run' | 'runs' | 'inbox' | 'events' | 'feed' | 'position' | 'onCommit' | 'isGone'>;
};

/**
 * What a person at a terminal does with Baton, whether it is opened in this process or reached through its server. Who
 * acts is told by `by` where it is opened here; a server knows it from the token.
 */
export type Desk = Looking &
  Pick<
    Baton,
    | 'agents'
    | 'readyAgents'
    | 'registerAgent'
    | 'withDefaults'
    | 'loginOf'
    | 'guard'
    | 'diff'
    | 'readLog'
    | 'previewAnswer'
  > & {
    /** The address of the server, or null. */
    served: string | null;
    engine: Pick<Engine, 'drive' | 'owns' | 'watch' | 'rested' | 'stop' | 'untilIdle'>;
    jobs: Pick<JobService, 'create' | 'fork' | 'show' | 'state' | 'go'>;
    act(run: string, act: JobAct, said: Said, by: By): Promise<void>;
    handIn(run: string, answer: HandIn, by: By): Promise<{ repeated: boolean }>;
    history(run: string): Promise<HistoryObject>;
    manifest(run: string): Promise<unknown>;
    /** A text that an event of a run names. */
    body(run: string, sha256: string): Promise<string>;
    landings: Pick<Baton['landings'], 'begin' | 'state'>;
    operator: OperatorDesk;
    envelopes: EnvelopeDesk;
    inbox: Pick<Baton['inbox'], 'open' | 'item' | 'details' | 'answer' | 'outcome'> & {
      system(): Promise<Held | undefined>;
    };
    budgets(): Promise<readonly Budget[]>;
    /** Without any limit it is taken away: null. */
    setBudget(order: BudgetOrderBody, by: By): Promise<Budget | null>;
    rules: Pick<Baton['rules'], 'kept' | 'ofRepository' | 'applying' | 'add' | 'remove' | 'read' | 'judge'>;
    tokens: Pick<Baton['tokens'], 'create' | 'revoke'> & {
      list(): Promise<readonly Omit<Awaited<ReturnType<Baton['tokens']['list']>>[number], 'sha256'>[]>;
    };
  };
type By = Pick<Origin, 'actor' | 'key'>;

/** What is done with operator runs, here or through a server. */
export type OperatorDesk = Omit<
  Baton['operator'],
  'around' | 'state' | 'answer' | 'raise' | 'knows' | 'result' | 'readResult'
>;

/** The same with envelopes. */
export type EnvelopeDesk = Pick<Baton['envelopes'], 'handle' | 'board' | 'pipelines'>;

/** What keeps jobs waiting that is not a person. */
export type Held = {
  locks: ReadonlyMap<string, { scope: string; resources: readonly string[] }>;
  logins: ReadonlyMap<string, { loss: number | null; untilMs: number }>;
};

import type { Agent } from '../contracts/api/agent-shapes.js';
import type { SignedHead, Verified } from '../contracts/api/audit-shapes.js';
import type { Budget, CostKey, CostRow, NoBudget } from '../contracts/api/cost-shapes.js';
import type { Answered, InboxItem } from '../contracts/api/inbox-shapes.js';
import type { History, JobCard, JobLog, JobObject, JobView, RelayRow } from '../contracts/api/job-shapes.js';
import type { Page } from '../contracts/api/page.js';
import type { Rule } from '../contracts/api/rule-shapes.js';
import type { Run, RunEvent } from '../contracts/api/run-shapes.js';
import type { System } from '../contracts/api/system-shapes.js';
import type { NewToken, Token, Whoami } from '../contracts/api/token-shapes.js';
import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import type { BudgetOrderBody } from '../contracts/generated/types/budget-order.js';
import type { InboxAnswerBody } from '../contracts/generated/types/inbox-answer.js';
import type { JobActBody } from '../contracts/generated/types/job-act.js';
import type { JobManifest } from '../contracts/generated/types/job-manifest.js';
import type { JobOrderBody } from '../contracts/generated/types/job-order.js';
import type { RuleOrderBody } from '../contracts/generated/types/rule-order.js';
import type { TokenOrderBody } from '../contracts/generated/types/token-order.js';
import { bridgesAt } from './bridges-at.js';
import { envelopesAt } from './envelopes-at.js';
import { type StreamOptions, streamEvents } from './event-stream.js';
import { ledgersAt } from './ledgers-at.js';
import { sessionsAt } from './sessions-at.js';
import { Wire, type WireOptions } from './wire.js';

export type RunFilter = {
  kind?: string;
  status?: string;
  agent?: string;
  project?: string;
  q?: string;
  /** Only these, up to a hundred, with commas between. */
  ids?: string;
  after?: string;
  limit?: number;
};
/** Acts that answer with the job as it is then. */
export type JobAct =
  | ('activate' | 'cancel' | 'tell' | 'approve' | 'reject' | 'resubmit' | 'terminate' | 'raise' | 'rollback')
  | ('checkpoint' | 'restep' | 'rerun' | 'rank' | 'run' | 'step' | 'poststep');
/** A key of one's own makes an act the same over restarts of the caller too. */
export type Keyed = { key?: string };

const V1 = '/api/v1';
const job = (id: string, part = ''): string => `${V1}/jobs/${encodeURIComponent(id)}${part}`;
/** A link works once: an answer that was lost is not asked for again. */
const ONCE = { again: false } as const;

/** Jobs, and what can be done with them. */
function jobsAt(wire: Wire) {
  return {
    /** What is open and what ended last, or up to a hundred by their names. */
    cards: (ids?: readonly string[]) => wire.get<Page<JobCard>>(`${V1}/jobs`, { ids: ids?.join(',') }),
    create: (order: JobOrderBody, keyed: Keyed = {}) => wire.post<JobObject>(`${V1}/jobs`, order, keyed),
    get: (id: string) => wire.get<JobObject>(job(id)),
    history: (id: string) => wire.get<History>(job(id, '/history')),
    manifest: (id: string, at?: number) => wire.get<JobManifest>(job(id, '/manifest'), { at }),
    /** How it is, or was behind one of its events. */
    view: (id: string, at?: number) => wire.get<JobView>(job(id, '/view'), { at }),
    relay: (id: string, page: { at?: number | undefined; from?: number; limit?: number } = {}) =>
      wire.get<Page<RelayRow>>(job(id, '/relay'), page),
    /** What the agent of an attempt printed behind a byte; `next` is where to go on. */
    log: (id: string, { handoff, attempt, after = 0 }: { handoff: string; attempt: number; after?: number }) =>
      wire.get<JobLog>(job(id, '/log'), { handoff: `${handoff}/${attempt}`, after }),
    /** All it changed, or what one attempt did. */
    diff: (id: string, of: { at?: number | undefined; attempt?: number } = {}) =>
      wire.get<{ job_id: string; patch: string }>(job(id, '/diff'), of),
    act: (id: string, act: JobAct, said: JobActBody = {}, keyed: Keyed = {}) =>
      wire.post<JobObject>(job(id, `/${act}`), said, keyed),
    fork: (id: string, said: Pick<JobActBody, 'to' | 'id' | 'prompt'> = {}, keyed: Keyed = {}) =>
      wire.post<JobObject>(job(id, '/fork'), said, keyed),
    land: (id: string, said: Pick<JobActBody, 'into' | 'squash'> = {}, keyed: Keyed = {}) =>
      wire.post<JobObject & { landing: string }>(job(id, '/land'), said, keyed),
  };
}

/** Everything the server offers, typed. Runs in Node and in browsers alike. */
export function createClient(options: WireOptions) {
  const wire = new Wire(options);
  return {
    runs: (filter: RunFilter = {}) => wire.get<Page<Run>>(`${V1}/runs`, filter),
    run: (id: string) => wire.get<Run>(`${V1}/runs/${encodeURIComponent(id)}`),
    /** Behind a position; of one run also `from` an event by its number there. */
    eventPage({ run, after, from, limit }: { run?: string; after?: number; from?: number; limit?: number } = {}) {
      const path = run === undefined ? '/events' : `/runs/${encodeURIComponent(run)}/events`;
      return wire.get<Page<RunEvent>>(`${V1}${path}`, { after, from, limit });
    },
    /** As they happen, for as long as the signal lets it; it comes back by itself when the wire breaks. */
    events: (how: StreamOptions = {}) => streamEvents(wire, how),
    /** What the agent of a run printed, behind a byte. */
    runLog: (id: string, after = 0) => wire.get<JobLog>(`${V1}/runs/${encodeURIComponent(id)}/log`, { after }),
    jobs: jobsAt(wire),
    ledgers: ledgersAt(wire),
    envelopes: envelopesAt(wire),
    bridges: bridgesAt(wire),
    sessions: sessionsAt(wire),
    inbox: (page: { after?: number; limit?: number } = {}) => wire.get<Page<InboxItem>>(`${V1}/inbox`, page),
    item: (item: number) => wire.get<InboxItem>(`${V1}/inbox/${item}`),
    answer: (item: number, answer: InboxAnswerBody, keyed: Keyed = {}) =>
      wire.post<Answered>(`${V1}/inbox/${item}/answer`, answer, keyed),
    agents: () => wire.get<Page<Agent>>(`${V1}/agents`),
    registerAgent: (registration: AgentRegistration, keyed: Keyed = {}) =>
      wire.post<Agent>(`${V1}/agents`, registration, keyed),
    rules: () => wire.get<Page<Rule>>(`${V1}/rules`),
    addRule: (rule: RuleOrderBody, keyed: Keyed = {}) => wire.post<Rule>(`${V1}/rules`, rule, keyed),
    removeRule: (id: string) => wire.delete<{ id: string }>(`${V1}/rules/${encodeURIComponent(id)}`),
    whoami: () => wire.get<Whoami>(`${V1}/whoami`),
    system: () => wire.get<System>(`${V1}/system`),
    cost: (how: { by: CostKey; days?: number | undefined }) => wire.get<Page<CostRow>>(`${V1}/cost`, how),
    budgets: () => wire.get<Page<Budget>>(`${V1}/budgets`),
    setBudget: (order: BudgetOrderBody, keyed: Keyed = {}) =>
      wire.post<Budget | NoBudget>(`${V1}/budgets`, order, keyed),
    tokens: () => wire.get<Page<Token>>(`${V1}/tokens`),
    /** The token itself is told this once. */
    createToken: (order: TokenOrderBody) => wire.post<NewToken>(`${V1}/tokens`, order, ONCE),
    revokeToken: (name: string) => wire.delete<{ name: string }>(`${V1}/tokens/${encodeURIComponent(name)}`),
    /** A text that an event of a run names by its hash. */
    body: (run: string, sha256: string, event?: number) =>
      wire.get<{ text: string }>(`${V1}/runs/${encodeURIComponent(run)}/bodies/${encodeURIComponent(sha256)}`, {
        event,
      }),
    console: {
      /** Gives the code of a link for a cookie; the proof goes with every request from then on, as Baton-Proof. */
      logIn: (code: string) => wire.post<{ proof: string }>(`${V1}/console/session`, { code }, ONCE),
      logOut: () => wire.delete<{ ok: true }>(`${V1}/console/session`),
    },
    audit: {
      verify: () => wire.get<Verified>(`${V1}/audit/verify`),
      /** The newest of them. */
      notable: () => wire.get<{ answers: readonly RunEvent[]; violations: readonly RunEvent[] }>(`${V1}/audit/notable`),
      head: () => wire.get<SignedHead>(`${V1}/audit/head`),
    },
  };
}

export type BatonClient = ReturnType<typeof createClient>;

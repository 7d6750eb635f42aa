import { type BatonClient, createClient } from '../client/create-client.js';
import type { StreamState } from '../client/event-stream.js';
import type { Agent } from '../contracts/api/agent-shapes.js';
import type { Token } from '../contracts/api/token-shapes.js';
import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import { jobDecider } from '../core/job/job-decider.js';
import { type LandingState, landingDecider } from '../core/landing/landing-decider.js';
import type { Desk, Looking } from '../engine/desk.js';
import type { JobOptions } from '../engine/job/job-options.js';
import { Machines } from '../engine/machines.js';
import type { Clock } from '../engine/ports.js';
import { RuleBook } from '../engine/rules/rule-book.js';
import type { ShellReader } from '../engine/rules/shell-reader.js';
import { Pulse } from './pulse.js';
import { remoteEnvelopes } from './remote-envelopes.js';
import { remoteInbox } from './remote-inbox.js';
import { RemoteJobs } from './remote-jobs.js';
import { remoteOperator } from './remote-operator.js';
import { type Driving, RemoteRuns } from './remote-runs.js';
import { RemoteStore } from './remote-store.js';

export type RemoteOptions = {
  url: string;
  token: string;
  clock: Clock;
  /** How the wire is, for whoever waits. */
  onState(state: StreamState): void;
};

export type DeskOptions = RemoteOptions & {
  driving: Driving;
  shell(): Promise<ShellReader>;
  /** What follows for a job from where it is said. */
  withDefaults(who: Who, said: JobOptions, cwd: string | null): ReturnType<Desk['withDefaults']>;
};
type Who = Pick<Desk, 'agents' | 'readyAgents'>;

function connect({ url, token, onState }: RemoteOptions) {
  const client = createClient({ url, token });
  const pulse = new Pulse(client, onState);
  return { client, pulse, store: new RemoteStore(client, pulse) };
}

/** The runs of a server, to look at. */
export function lookAtRemote(options: RemoteOptions): Looking {
  const { client, pulse, store } = connect(options);
  return { store, clock: options.clock, stored: true, spent: spentAt(client), close: async () => pulse.end() };
}

function spentAt(client: BatonClient): Looking['spent'] {
  return async (by, days) => [...(await client.cost({ by, days })).items];
}

/** A server, as the command line uses it. */
export function openRemote(options: DeskOptions): Desk {
  const { client, pulse, store } = connect(options);
  const { clock, shell } = options;
  const machines = new Machines().add(jobDecider).add(landingDecider);
  const runs = new RemoteRuns({ client, store, pulse, machines }, options.driving);
  const jobs = new RemoteJobs(client, runs);
  const book = new RuleBook({ kept: async () => (await client.rules()).items, clock, shell });
  const who = whoIsThere(client);
  return {
    spent: spentAt(client),
    ...{ served: options.url, clock, stored: true, store, jobs, engine: runs, ...who, inbox: remoteInbox(client) },
    act: (run, act, said) => jobs.act(run, act, said),
    handIn: (run, answer) => jobs.handIn(run, answer),
    previewAnswer: (run, answer) => jobs.previewAnswer(run, answer),
    history: (run) => client.jobs.history(run) as ReturnType<Desk['history']>,
    manifest: (run) => client.jobs.manifest(run),
    body: async (run, sha256) => (await client.body(run, sha256)).text,
    diff: async (run) => (await client.jobs.diff(run)).patch,
    async readLog({ run, ...of }, after) {
      if ((await store.run(run))?.kind === 'task') return client.ledgers.log(run, { tries: of.attempt, after });
      return client.jobs.log(run, { ...of, after });
    },
    guard: async () => (await client.system()).sandbox,
    withDefaults: (said, cwd) => options.withDefaults(who, said, cwd),
    operator: remoteOperator(client),
    envelopes: remoteEnvelopes(client),
    landings: {
      begin: async (job, { into, squash }) =>
        (await client.jobs.land(job, { ...(into !== null && { into }), squash })).landing,
      state: async (run) => (await runs.stateOf('landing', run)) as LandingState,
    },
    rules: Object.assign(book, {
      async add(rule: Parameters<Desk['rules']['add']>[0]) {
        const { author: _, ...order } = rule;
        return Number((await client.addRule(order as Parameters<BatonClient['addRule']>[0])).id);
      },
      remove: async (id: number) => void (await client.removeRule(String(id))),
    }),
    budgets: async () => (await client.budgets()).items,
    async setBudget(order) {
      const set = await client.setBudget(order);
      return 'resets_at' in set ? set : null;
    },
    tokens: {
      async create({ name, role, agent, expiresAt }) {
        const order = { name, role, ...(agent !== null && { agent }), ...(expiresAt && { expires_at: expiresAt }) };
        return (await client.createToken(order)).token;
      },
      list: async () => (await client.tokens()).items.map(keptToken),
      revoke: async (name) => void (await client.revokeToken(name)),
    },
    close: async () => pulse.end(),
  };
}

function keptToken({ created_at, expires_at, ...token }: Token) {
  return { ...token, madeAt: created_at, ...(expires_at !== null && { expiresAt: expires_at }) };
}

function whoIsThere(client: BatonClient): Pick<Desk, 'agents' | 'readyAgents' | 'registerAgent' | 'loginOf'> {
  const list = async (status: string): Promise<Agent[]> =>
    (await client.agents()).items.filter((one) => one.status === status);
  return {
    agents: async () =>
      (await list('registered')).map(
        ({ status: _, account: __, ...registration }) => registration as AgentRegistration,
      ),
    readyAgents: async () =>
      (await list('ready')).map(({ id, login }) => ({
        id,
        login: login === 'key' ? ('key' as const) : ('own' as const),
      })),
    registerAgent: async (registration) => void (await client.registerAgent(registration)),
    loginOf: async (agent) => (await client.agents()).items.find(({ id }) => id === agent)?.account ?? agent,
  };
}

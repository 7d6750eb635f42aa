import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import type { Agent } from '../core/agent/agent-decider.js';
import { orThrow } from '../engine/dispatch.js';
import type { Engine } from '../engine/engine.js';
import { checkJobId } from '../engine/job/job-id.js';
import type { Machines } from '../engine/machines.js';
import type { Clock, EventStore } from '../engine/ports.js';
import { readRun } from '../engine/read-run.js';
import type { Origin } from '../engine/seal.js';
import { type AgentSpec, parseAgentSpec } from './agent-spec.js';

const PAGE = 500;

/** Which agents there are: the registered ones, each a run, and the built-in ones. */
export class AgentDirectory {
  private readonly store: EventStore;
  private readonly machines: Machines;
  private readonly folder: string;

  constructor(store: EventStore, machines: Machines, folder: string) {
    this.store = store;
    this.machines = machines;
    this.folder = folder;
  }

  /** Looked up at every ask: an agent that is registered meanwhile is known at once. */
  async specOf(id: string): Promise<AgentSpec | undefined> {
    const registration = await this.registrationOf(id);
    return registration && parseAgentSpec(registration, { folder: this.folder });
  }

  async ids(): Promise<readonly string[]> {
    return (await this.list()).map(({ id }) => id);
  }

  async register(engine: Engine, clock: Clock, registration: AgentRegistration, origin: Origin): Promise<void> {
    checkJobId(registration.id);
    parseAgentSpec(registration, { folder: this.folder });
    const command = { type: 'Register', atMs: clock.nowMs(), registration };
    orThrow(await engine.send(registration.id, command, origin, { create: 'agent' }));
  }

  async list(): Promise<readonly AgentRegistration[]> {
    const found: AgentRegistration[] = [];
    let after: string | undefined;
    do {
      const page = await this.store.runs({ kind: 'agent', limit: PAGE, ...(after !== undefined && { after }) });
      for (const { run } of page.items) {
        const registration = await this.registrationOf(run);
        if (registration) found.push(registration);
      }
      after = page.next ?? undefined;
    } while (after !== undefined);
    return found;
  }

  private async registrationOf(id: string): Promise<AgentRegistration | undefined> {
    // Nobody is registered under a name with a colon.
    if (id.includes(':')) return undefined;
    const folded = await readRun(this.store, this.machines, id);
    if (folded?.machine.kind !== 'agent') return undefined;
    const agent = folded.state as Agent;
    return agent.status === 'registered' ? agent.registration : undefined;
  }
}

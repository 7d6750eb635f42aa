import { Lanes } from './lanes.js';
import type { StopSignal } from './stop-signal.js';

type LoginOf = (agent: string) => Promise<string>;

/** Lanes of what agents share. A run has a place of the login as long as it has one of an agent that uses it. */
export class LoginLanes {
  private readonly lanes: Lanes;
  private readonly loginOf: LoginOf;
  /** As they were last told: an agent may be given another login. */
  private readonly logins = new Map<string, string>();
  private readonly held = new Map<string, ReadonlySet<string>>();

  constructor(limitOf: (login: string) => number, loginOf: LoginOf) {
    this.lanes = new Lanes(limitOf);
    this.loginOf = loginOf;
  }

  async admit(agent: string, run: string, rank: number, signal: StopSignal, room?: number): Promise<boolean> {
    return this.lanes.admit(await this.look(agent), run, rank, signal, room);
  }

  /** An ask that is under way after a restart holds its place, even above the limit. */
  async hold(agent: string, run: string): Promise<void> {
    const login = this.logins.get(agent) ?? (await this.look(agent));
    if (this.held.get(run)?.has(agent)) this.lanes.hold(login, run);
  }

  releaseOthers(run: string, agents: ReadonlySet<string>): void {
    if (agents.size === 0) this.held.delete(run);
    else this.held.set(run, agents);
    this.lanes.releaseOthers(run, new Set([...agents].flatMap((agent) => this.logins.get(agent) ?? [])));
  }

  private async look(agent: string): Promise<string> {
    const login = await this.loginOf(agent);
    this.logins.set(agent, login);
    return login;
  }
}

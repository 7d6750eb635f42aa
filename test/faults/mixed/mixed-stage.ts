import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { BridgeStage } from '../bridge/bridge-stage.js';
import { EnvelopeStage } from '../envelopes/envelope-stage.js';
import { JobStage } from '../jobs/job-stage.js';
import { type Grounds, layGrounds, type StageOptions } from '../jobs/program-stage.js';
import { OperatorStage } from '../operator/operator-stage.js';
import { MODEL_KEY, SessionStage } from '../sessions/session-stage.js';
import type { ProgramProcess } from '../stage/program-process.js';
import { within } from '../stage/waiting.js';

const READY_MS_MAX = 30_000;

/** The stages of all five contracts on one home, each with its own agents, and one server for all of them. */
export class MixedStage {
  /** Of the server that runs now; empty while there is none. */
  url = '';
  readonly jobs: JobStage;
  readonly operator: OperatorStage;
  readonly envelopes: EnvelopeStage;
  readonly bridges: BridgeStage;
  readonly sessions: SessionStage;
  private readonly grounds: Grounds;

  private constructor(
    grounds: Grounds,
    of: Pick<MixedStage, 'jobs' | 'operator' | 'envelopes' | 'bridges' | 'sessions'>,
  ) {
    this.grounds = grounds;
    this.jobs = of.jobs;
    this.operator = of.operator;
    this.envelopes = of.envelopes;
    this.bridges = of.bridges;
    this.sessions = of.sessions;
  }

  static async set({ tasks, seed, ...options }: StageOptions & { tasks: number; seed: number }): Promise<MixedStage> {
    const grounds = await layGrounds(options);
    const standing = (among: string): StageOptions => {
      const folder = path.join(grounds.folder, among);
      mkdirSync(folder);
      return { ...options, grounds: { ...grounds, folder, among, env: MODEL_KEY } };
    };
    return new MixedStage(grounds, {
      sessions: await SessionStage.set(standing('session')),
      envelopes: await EnvelopeStage.set(standing('envelope')),
      jobs: await JobStage.set(standing('job')),
      operator: await OperatorStage.set({ ...standing('task'), tasks, seed }),
      bridges: await BridgeStage.set(standing('bridge')),
    });
  }

  get store() {
    return this.grounds.store;
  }

  get home(): string {
    return this.grounds.home;
  }

  get problems(): string[] {
    return this.parts.flatMap(({ problems }) => problems);
  }

  get tokens(): string[] {
    return this.parts.map(({ token }) => token);
  }

  async startServer(): Promise<ProgramProcess> {
    const server = this.bridges.launchServer((url) => {
      this.url = url;
    });
    if (!(await within(READY_MS_MAX, () => this.url !== '' || server.exit !== undefined)))
      this.bridges.problems.push(`${server.name} did not start: ${server.last.join(' / ')}`);
    return server;
  }

  async clear(): Promise<void> {
    for (const part of this.parts) await part.clear();
    await this.store.close();
    if (this.grounds.keep) return console.log(`kept: ${this.grounds.folder}`);
    rmSync(this.grounds.folder, { recursive: true, force: true });
  }

  private get parts() {
    return [this.jobs, this.operator, this.envelopes, this.bridges, this.sessions];
  }
}

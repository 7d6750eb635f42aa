import { BatonError } from '../../contracts/shared/errors.js';
import type { LandingOrder, LandingState } from '../../core/landing/landing-decider.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { Machines } from '../machines.js';
import type { Ports, RunId } from '../ports.js';
import { readRunOf } from '../read-run.js';
import type { JobService } from './job-service.js';

type Surroundings = { ports: Ports; engine: Engine; machines: Machines; jobs: JobService };

/** Brings finished jobs home. A landing is a run of its own: it is asked, resumed and answered like any other. */
export class LandingService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** Begins it, and answers with the run that carries it out. */
  async begin(job: RunId, how: { into: string | null; squash: boolean }, actor: string): Promise<RunId> {
    const { ports, engine, jobs } = this.around;
    const { status, order } = await jobs.state(job);
    if (status !== 'SUCCESS') {
      throw new BatonError('INVALID_TRANSITION', `${job} is ${status}; only finished work is landed`, { status });
    }
    const { repository, title, checks, env } = order;
    if (!repository) throw new BatonError('INVALID_TRANSITION', `${job} has no repository to land in`, { status });
    const landing: LandingOrder = { job, title, folder: repository.folder, ...how, checks, env };
    const run = landingOf(job);
    const command = { type: 'Land', atMs: ports.clock.nowMs(), order: landing };
    const exists = (await ports.store.run(run)) !== undefined;
    orThrow(
      exists ? await engine.send(run, command, { actor }) : await engine.create(run, 'landing', command, { actor }),
    );
    return run;
  }

  async state(run: RunId): Promise<LandingState> {
    const { ports, machines } = this.around;
    return (await readRunOf(ports.store, machines, 'landing', run)).state as LandingState;
  }

  async drop(run: RunId, actor: string): Promise<void> {
    const { ports, engine } = this.around;
    orThrow(await engine.send(run, { type: 'Drop', atMs: ports.clock.nowMs() } as { type: string }, { actor }));
  }

  /** A new job on top of the old one's work, whose task is to make it fit. Answers with its id. */
  async sendBack(run: RunId, guidance: string | undefined, actor: string): Promise<RunId> {
    const { ports, engine, jobs } = this.around;
    const landing = await this.state(run);
    if (landing.status === 'new') throw new BatonError('RUN_NOT_FOUND', `there is no landing ${run}`);
    const { job, into } = landing.order;
    const point = (await jobs.state(job)).points.at(-1)?.id;
    if (point === undefined) throw new BatonError('INVALID_TRANSITION', `${job} has no recovery point to go on from`);
    const fork = await jobs.fork(job, { point, prompt: repairPrompt(landing, into, guidance), actor });
    const command = { type: 'SendBack', atMs: ports.clock.nowMs(), job: fork.job_id };
    orThrow(await engine.send(run, command, { actor }));
    return fork.job_id;
  }
}

export function landingOf(job: RunId): RunId {
  return `land-${job}`;
}

function repairPrompt(
  { outcome }: Exclude<LandingState, { status: 'new' }>,
  into: string | null,
  guidance = '',
): string {
  const target = into ?? 'the branch it was made from';
  const task =
    outcome?.type === 'conflict'
      ? `This work conflicts with what ${target} has become, in ${outcome.files.join(', ')}.`
      : `This work, merged with what ${target} has become, fails its checks.`;
  return `${task} Merge that branch into this workspace and make both fit together.\n${guidance}`.trim();
}

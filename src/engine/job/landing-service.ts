import { BatonError } from '../../contracts/shared/errors.js';
import type { LandingOrder, LandingState } from '../../core/landing/landing-decider.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { Machines } from '../machines.js';
import type { Ports, RunId } from '../ports.js';
import { readRunOf } from '../read-run.js';
import type { Origin } from '../seal.js';
import type { JobService } from './job-service.js';
import { quotedData } from './quoted-data.js';

type Surroundings = {
  ports: Ports;
  engine: Engine;
  machines: Machines;
  jobs: JobService;
  /** What a job changed, as a patch. */
  diff(job: RunId): Promise<string>;
};
type By = Pick<Origin, 'actor' | 'key'>;
type Live = Exclude<LandingState, { status: 'new' }>;

/** Brings finished jobs home. A landing is a run of its own: it is asked, resumed and answered like any other. */
export class LandingService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** Begins it, and answers with the run that carries it out. */
  async begin(
    job: RunId,
    how: { into: string | null; squash: boolean },
    actor: string,
    key?: Origin['key'],
  ): Promise<RunId> {
    const { ports, engine, jobs } = this.around;
    const { status, order } = await jobs.state(job);
    if (status !== 'SUCCESS') {
      throw new BatonError('INVALID_TRANSITION', `${job} is ${status}; only finished work is landed`, { status });
    }
    const { repository, title, checks, env, project } = order;
    if (!repository) throw new BatonError('INVALID_TRANSITION', `${job} has no repository to land in`, { status });
    const landing: LandingOrder = {
      ...{ job, title, folder: repository.folder, ...how, checks, env },
      ...(project !== undefined && { project }),
    };
    const run = landingOf(job);
    const command = { type: 'Land', atMs: ports.clock.nowMs(), order: landing };
    const row = await ports.store.run(run);
    // Cut off, or under way elsewhere: it is gone on with, or waited for.
    if (row?.status === 'landing') return run;
    const origin = { actor, ...(key && { key }) };
    orThrow(row ? await engine.send(run, command, origin) : await engine.create(run, 'landing', command, origin));
    return run;
  }

  async state(run: RunId): Promise<LandingState> {
    const { ports, machines } = this.around;
    return (await readRunOf(ports.store, machines, 'landing', run)).state as LandingState;
  }

  async order(run: RunId): Promise<LandingOrder> {
    const landing = await this.state(run);
    if (landing.status === 'new') throw new BatonError('RUN_NOT_FOUND', `there is no landing ${run}`);
    return landing.order;
  }

  async drop(run: RunId, by: By): Promise<void> {
    const { ports, engine } = this.around;
    orThrow(await engine.send(run, { type: 'Drop', atMs: ports.clock.nowMs() } as { type: string }, by));
  }

  /**
   * A new job that does the old one's work again on what the branch has become, with the old changes as data. Answers
   * with its id. It is not forked from the old one: that would only meet the same conflict again.
   */
  async sendBack(run: RunId, guidance: string | undefined, by: By): Promise<RunId> {
    const { ports, engine, jobs, diff } = this.around;
    const landing = await this.state(run);
    if (landing.status === 'new') throw new BatonError('RUN_NOT_FOUND', `there is no landing ${run}`);
    const { job, into } = landing.order;
    const { order } = await jobs.state(job);
    const task = new TextDecoder().decode(await ports.store.body(order.prompt.sha256));
    const prompt = repairPrompt(landing, { task, guidance, patch: await diff(job) }, ports);
    // The key goes with the job: cut off behind it, a repeat finds that job and only sends it back.
    const again = await jobs.again(job, { base: into, prompt, by });
    const command = { type: 'SendBack', atMs: ports.clock.nowMs(), job: again.job_id };
    orThrow(await engine.send(run, command, { actor: by.actor }));
    return again.job_id;
  }
}

export function landingOf(job: RunId): RunId {
  return `land-${job}`;
}

type Repair = { task: string; guidance: string | undefined; patch: string };

function repairPrompt({ outcome }: Live, { task, guidance, patch }: Repair, { hasher }: Pick<Ports, 'hasher'>): string {
  const why =
    outcome?.type === 'conflict'
      ? `They conflict with what the branch has become, in ${outcome.files.join(', ')}.`
      : 'Merged with what the branch has become, they fail the checks.';
  const parts = [
    task,
    `This was done once already, on an older state of the branch. ${why}`,
    'Bring these changes onto the present state, so that both fit together.',
    ...(guidance === undefined ? [] : [guidance]),
    quotedData(hasher, 'The changes that were made', patch),
  ];
  return parts.join('\n\n');
}

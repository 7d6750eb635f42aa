import type { BatonClient } from '../client/create-client.js';
import type { JobObject } from '../contracts/api/job-shapes.js';
import type { JobActBody } from '../contracts/generated/types/job-act.js';
import type { JobOrderBody } from '../contracts/generated/types/job-order.js';
import type { LiveJob } from '../core/job/job-state.js';
import type { Desk } from '../engine/desk.js';
import type { HandIn } from '../engine/job/hand-in.js';
import type { JobAct, Said } from '../engine/job/job-acts.js';
import type { JobOptions } from '../engine/job/job-options.js';
import type { RemoteRuns } from './remote-runs.js';

/** Jobs of a server. */
export class RemoteJobs {
  private readonly client: BatonClient;
  private readonly runs: RemoteRuns;

  constructor(client: BatonClient, runs: RemoteRuns) {
    this.client = client;
    this.runs = runs;
  }

  create(options: JobOptions): Promise<JobObject> {
    return this.client.jobs.create(orderOf(options));
  }

  fork(run: string, { point, prompt, id }: Parameters<Desk['jobs']['fork']>[1]): Promise<JobObject> {
    const said = { ...(point !== null && { to: point }), ...(prompt !== undefined && { prompt }) };
    return this.client.jobs.fork(run, { ...said, ...(id !== undefined && { id }) });
  }

  show(run: string): Promise<JobObject> {
    return this.client.jobs.get(run);
  }

  async state(run: string): Promise<LiveJob> {
    return (await this.runs.stateOf('job', run)) as LiveJob;
  }

  /** Said to the server when it is to be driven. */
  async go(): Promise<void> {}

  async act(run: string, act: JobAct, { limits, ...said }: Said): Promise<void> {
    const { interactions: _, ...amounts } = limits ?? {};
    await this.client.jobs.act(run, act, { ...said, ...amounts } as JobActBody);
  }

  async handIn(run: string, { role, text, handoff }: HandIn): Promise<{ repeated: boolean }> {
    const said = { role, response: text, ...(handoff !== null && { handoff }) };
    const { repeated } = (await this.client.jobs.act(run, 'poststep', said)) as JobObject & { repeated?: boolean };
    return { repeated: repeated === true };
  }

  async previewAnswer(run: string, { role, text, handoff }: HandIn): Promise<{ object: JobObject; checks: boolean }> {
    const said = { role, response: text, dry_run: true, ...(handoff !== null && { handoff }) };
    const { checks, ...object } = (await this.client.jobs.act(run, 'poststep', said)) as JobObject & {
      checks: boolean;
    };
    return { object, checks };
  }
}

/** What follows from files of the server's own machine it finds out by itself. */
function orderOf({ limits, network, project_file, history, on_limit, ...said }: JobOptions): JobOrderBody {
  const { interactions: _, ...amounts } = limits ?? {};
  return { ...said, ...amounts, ...(network && { net: network }) } as unknown as JobOrderBody;
}

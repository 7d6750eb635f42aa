import type { JobObject } from '../../contracts/api/job-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { JobCommand, RecoveryPoint, UsedSoFar } from '../../core/job/job-messages.js';
import { builtInPhases, type JobOrder, type Phase } from '../../core/job/job-order.js';
import { type LiveJob, openQuestion } from '../../core/job/job-state.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import { type Outcome, orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { Machines } from '../machines.js';
import type { Left, Ports, RunId, SealedBody } from '../ports.js';
import { readRunOf } from '../read-run.js';
import { type Origin, sealBody } from '../seal.js';
import { checkOptions, lockOf } from './check-options.js';
import { findPoint } from './find-point.js';
import { checkJobId, newJobId } from './job-id.js';
import { jobObject, type Places } from './job-object.js';
import { type JobOptions, limitsOf, type PhaseOptions, withInteractions } from './job-options.js';
import { checkPhases } from './phase-options.js';
import { threadsAt } from './threads-at.js';

const TIMEOUT_S_DEFAULT = 1_800;
const ID_TRIES_MAX = 10;
const TITLE_LENGTH_MAX = 200;
const INBOX_PAGE = 1_000;
const CALLS_OFF: ReadonlySet<JobCommand['type']> = new Set(['Cancel', 'Advise', 'PostStep'] as const);

type Surroundings = {
  ports: Ports;
  engine: Engine;
  machines: Machines;
  places: Places;
  /** Whether an agent is a person, who answers by hand. */
  isPerson(agent: string): Promise<boolean>;
  /** What an attempt that is under way has used so far. */
  spentOf(of: { run: RunId; handoff: string; attempt: number }): Left;
  /** A job that nobody drives was changed: somebody must see to its files. */
  changed(run: RunId): void;
};
type Sealed = { ref: BodyRef; body: SealedBody };
/** Distributes over the union, so that each command keeps its own fields. */
type Timeless<Command> = Command extends { atMs: number } ? Omit<Command, 'atMs'> : never;

/** What people and programs do with jobs, in terms of the contract. */
export class JobService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  async create(options: JobOptions, origin: Pick<Origin, 'actor' | 'key'>): Promise<JobObject> {
    const { ports } = this.around;
    await checkOptions(ports.store, options);
    const prompt = sealBody(ports, options.prompt);
    const instructions = checkPhases(options.phases ?? []).map(({ instructions: text }) =>
      text ? sealBody(ports, text) : null,
    );
    const past = options.history === undefined ? null : sealBody(ports, options.history);
    const phases = await this.withPeople(phasesOf(options, instructions));
    const order = { ...this.orderOf(options, prompt.ref, phases), ...(past && { past: past.ref }) };
    const bodies = [prompt, past, ...instructions].flatMap((sealed) => (sealed ? [sealed.body] : []));
    const command = { type: 'Submit', atMs: ports.clock.nowMs(), order, activate: options.activate === true };
    const run = await this.submit(options, command, { ...origin, bodies });
    await this.seeToFiles(run);
    return this.show(run);
  }

  /** A new job that begins where another one stood at a recovery point; the other is left alone. */
  async fork(
    run: RunId,
    how: { point: string | null; prompt?: string; id?: string; actor: string; key?: Origin['key'] },
  ): Promise<JobObject> {
    const { ports } = this.around;
    const { order } = await this.state(run);
    const { id: point, commit } = await this.point(run, how.point);
    if (commit === null) {
      const reason = `${run} has no repository, so ${point} has no files to start from; make a new job instead`;
      throw new BatonError('INVALID_TRANSITION', reason, { point });
    }
    const sealed = how.prompt === undefined ? undefined : sealBody(ports, how.prompt);
    const forked: JobOrder = {
      ...order,
      prompt: sealed?.ref ?? order.prompt,
      forkedFrom: { job: run, point, threads: await threadsAt(ports.store, run, point) },
      after: [],
    };
    const command = { type: 'Submit', atMs: ports.clock.nowMs(), order: forked, activate: true };
    const origin = { actor: how.actor, bodies: sealed ? [sealed.body] : [], ...(how.key && { key: how.key }) };
    const named = { prompt: order.title, ...(how.id !== undefined && { id: how.id }) };
    return this.show(await this.submit(named, command, origin));
  }

  /** One of its recovery points, or the newest. */
  async point(run: RunId, named: string | null): Promise<RecoveryPoint> {
    const job = await this.state(run);
    const id = named ?? job.points.at(-1)?.id;
    const found = id === undefined ? undefined : await findPoint(this.around.ports.store, run, job, id);
    if (found) return found;
    const points = job.points.map((point) => point.id);
    throw new BatonError('INVALID_TRANSITION', `${run} has no recovery point ${id ?? 'yet'}`, { points });
  }

  /** A new job like another one, from its beginning, with another prompt and another start. */
  async again(
    run: RunId,
    how: { base: string | null; prompt: string; by: Pick<Origin, 'actor' | 'key'> },
  ): Promise<JobObject> {
    const { ports } = this.around;
    const { order } = await this.state(run);
    const { ref, body } = sealBody(ports, how.prompt);
    const repository = order.repository && { ...order.repository, base: how.base, dirty: false };
    const anew: JobOrder = { ...order, prompt: ref, repository, forkedFrom: null, after: [] };
    const command = { type: 'Submit', atMs: ports.clock.nowMs(), order: anew, activate: true };
    return this.show(await this.submit({ prompt: order.title }, command, { ...how.by, bodies: [body] }));
  }

  async show(run: RunId): Promise<JobObject> {
    const job = await this.state(run);
    return jobObject(run, job, this.around.places, await this.openItem(run, job));
  }

  /** Refuses a draft: it was not said yet that it is to be run. */
  async ready(run: RunId): Promise<void> {
    const { status } = await this.state(run);
    if (status === 'DRAFT')
      throw new BatonError('INVALID_TRANSITION', `${run} is a draft: activate it first`, { status });
  }

  /** Lets it go on until it rests, or for one handoff and no more. */
  async go(run: RunId, steps: 1 | null, by: Pick<Origin, 'actor' | 'key'>): Promise<void> {
    if (steps === null) await this.ready(run);
    if (steps !== null || (await this.state(run)).steps !== undefined) await this.send(run, { type: 'Go', steps }, by);
  }

  async state(run: RunId): Promise<LiveJob> {
    const { ports, machines } = this.around;
    return (await readRunOf(ports.store, machines, 'job', run)).state as LiveJob;
  }

  /** Gives a job a command; guidance and answers are bodies. */
  async send(
    run: RunId,
    command: Timeless<Exclude<JobCommand, { key: string }>>,
    origin: Pick<Origin, 'actor' | 'key'>,
    bodies: readonly SealedBody[] = [],
  ): Promise<Outcome> {
    const { ports, engine } = this.around;
    const timed = {
      ...command,
      ...this.usedUntil(run, command.type, await this.state(run)),
      atMs: ports.clock.nowMs(),
    };
    const outcome = orThrow(await engine.send(run, timed, { ...origin, bodies }));
    await this.seeToFiles(run);
    return outcome;
  }

  /** Whoever is called off by this has used something, which nobody will hear of otherwise. */
  private usedUntil(run: RunId, type: JobCommand['type'], { stage }: LiveJob): { used?: UsedSoFar } {
    if (stage.name !== 'asking' || stage.handoff.byHand || !CALLS_OFF.has(type)) return {};
    const { key: handoff, attempt } = stage.handoff;
    const { thread, ...usage } = this.around.spentOf({ run, handoff, attempt });
    if (usage.inputTokens + usage.outputTokens === 0 && thread === undefined) return {};
    return { used: { handoff, attempt, usage, ...(thread !== undefined && { thread }) } };
  }

  private async seeToFiles(run: RunId): Promise<void> {
    const row = await this.around.ports.store.run(run);
    if (row?.owner === null) this.around.changed(run);
  }

  seal(text: string): Sealed {
    return sealBody(this.around.ports, text);
  }

  private async withPeople(phases: readonly Phase[]): Promise<readonly Phase[]> {
    const { isPerson } = this.around;
    return Promise.all(
      phases.map(async (phase) => ((await isPerson(phase.agent)) ? { ...phase, byHand: true } : phase)),
    );
  }

  private orderOf(options: JobOptions, prompt: BodyRef, phases: readonly Phase[]): JobOrder {
    const { repo, lock = [], network = [] } = options;
    return {
      title: titleOf(options),
      prompt,
      phases,
      limits: withInteractions(limitsOf(options.limits ?? {})),
      handoffTimeoutMs: (options.timeout_seconds ?? TIMEOUT_S_DEFAULT) * 1_000,
      verify: options.verify ?? 'strict',
      approval: options.approve === true,
      repository:
        repo === undefined
          ? null
          : {
              folder: repo,
              base: options.base ?? null,
              dirty: options.dirty === true,
              paths: options.paths ?? [],
            },
      setup: options.setup ?? null,
      checks: options.checks ?? [],
      protect: options.protect ?? [],
      env: options.env ?? [],
      after: options.after ?? [],
      rank: options.rank ?? 0,
      fallback: options.fallback ?? null,
      ...(options.on_limit === 'ask' && { onLimit: 'ask' }),
      ...(lock.length > 0 && { locks: lock.map(lockOf) }),
      ...(network.length > 0 && { network }),
      ...(options.project !== undefined && { project: options.project }),
      projectFile: options.project_file ?? null,
      forkedFrom: null,
    };
  }

  /** Somebody may take an id that was found free a moment ago: then another one is found, unless it was asked for. */
  private async submit(options: JobOptions, command: { type: string }, origin: Origin): Promise<RunId> {
    for (let tries = 1; ; tries += 1) {
      const run = await this.freeId(options, origin);
      const outcome = await this.around.engine.create(run, 'job', command, { ...origin, answer: () => run });
      if (outcome.type === 'repeated') return outcome.answer;
      const taken = outcome.type === 'refused' && outcome.refusal.code === 'INVALID_TRANSITION';
      if (!taken || options.id !== undefined || tries >= ID_TRIES_MAX) {
        if (taken) throw new BatonError('ID_TAKEN', `there is a run ${run} already`, { run_id: run });
        orThrow(outcome);
        return run;
      }
    }
  }

  /** A repeat of what made the run is known by its key, not by the name it has taken. */
  private async freeId({ id, name, prompt }: JobOptions, { key }: Origin): Promise<RunId> {
    const { store, ids } = this.around.ports;
    if (id !== undefined) {
      checkJobId(id);
      const there = await store.run(id);
      if (there && (key === undefined || there.kind !== 'job'))
        throw new BatonError('ID_TAKEN', `there is a run ${id} already`, { run_id: id });
      return id;
    }
    for (let tries = 0; tries < ID_TRIES_MAX; tries += 1) {
      const free = newJobId(name ?? prompt, () => ids.random());
      if (!(await store.run(free))) return free;
    }
    throw new BatonError('ID_TAKEN', 'no free id was found; name one with --id');
  }

  private async openItem(run: RunId, job: LiveJob): Promise<number | null> {
    if (openQuestion(job) === null) return null;
    for (let after = 0; ; ) {
      const items = await this.around.ports.store.inbox({ open: true, after, limit: INBOX_PAGE });
      const own = items.find((item) => item.run === run);
      if (own || items.length < INBOX_PAGE) return own?.item ?? null;
      after = items.at(-1)?.item ?? after;
    }
  }
}

function titleOf({ name, description, prompt }: JobOptions): string {
  const [first = ''] = (name ?? description ?? prompt).trim().split('\n');
  return first.slice(0, TITLE_LENGTH_MAX) || 'a job';
}

function phasesOf(options: JobOptions, instructions: readonly (Sealed | null)[]): readonly Phase[] {
  const { phases, agent, supervisor, workflow } = options;
  if (phases) return phases.map((phase, index) => phaseOf(phase, instructions[index]?.ref ?? null));
  if (agent === undefined) throw new BatonError('AGENT_NOT_FOUND', 'no agent was named for the work');
  const reviews = workflow !== 'worker' && supervisor !== undefined && supervisor !== 'none';
  if (workflow === 'worker-supervisor' && !reviews) {
    throw new BatonError('AGENT_NOT_FOUND', 'no agent was named for the review');
  }
  return builtInPhases(agent, reviews ? supervisor : null);
}

function phaseOf({ name, role, agent, on_retry, checks }: PhaseOptions, instructions: BodyRef | null): Phase {
  return { name, role, agent, instructions, onRetry: on_retry ?? null, checks: checks ?? null };
}

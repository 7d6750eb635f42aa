import type { EnvelopeBoard, EnvelopeCard } from '../../contracts/api/envelope-shapes.js';
import { readEnvelope } from '../../contracts/envelope/read-envelope.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Denial } from '../../contracts/shared/verdict.js';
import type { Applied } from '../../core/envelope/apply-stages.js';
import { envelopeDecider } from '../../core/envelope/envelope-decider.js';
import type {
  EnvelopeCommand,
  EnvelopeEvent,
  EnvelopeOrder,
  MoreSaid,
  Pace,
} from '../../core/envelope/envelope-messages.js';
import { type EnvelopeRun, type LiveEnvelope, questionKey } from '../../core/envelope/envelope-state.js';
import { receiveChanged, receiveFirst, withAnswer } from '../../core/envelope/receive-envelope.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import { projectOf } from '../../core/kernel/project.js';
import { type Outcome, orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import { whileDriven } from '../keep-driving.js';
import type { AnyCommand, Machines } from '../machines.js';
import type { EventRow, Ports, RunId, RunRow, SealedBody } from '../ports.js';
import { readRunOf } from '../read-run.js';
import type { Origin } from '../seal.js';
import { itemsOf } from '../shown/open-items.js';
import type { DocumentMover } from './document-mover.js';
import { envelopeBoard } from './envelope-board.js';
import { envelopeCard } from './envelope-card.js';
import { checkAnswerers, hasUnbound, type Pipelines, refuseOtherPipeline } from './named-pipeline.js';

type Surroundings = {
  ports: Ports;
  engine: Engine;
  machines: Machines;
  mover: DocumentMover;
  pipelines: Pipelines;
  knowsAgent(id: string): Promise<boolean>;
  isPerson(id: string): Promise<boolean>;
  /** Who answers stages when nobody is named. */
  stageAgent(): Promise<string | null>;
  /** Where tools look when nothing is said. */
  folder: string | undefined;
};
type By = Pick<Origin, 'actor' | 'key'>;

/** What is said beside an envelope, never in it: the flags of `baton envelope process`. */
export type EnvelopeOptions = {
  /** A name, or the pipeline itself. */
  pipeline?: string | Pipeline;
  agent?: string;
  /** The folder that it is about: tools look there, and what is cited must be there. */
  repo?: string;
  /** Where whoever sends it is: tools look there when no folder is named. */
  around?: string;
  project?: string;
  env?: readonly string[];
  network?: readonly string[];
};

/** Which envelope was sent, and how it is known again. */
export type Received = { run: RunId; hash: string; pace: Pace };

const TRIES_MAX = 20;
const EVENTS_MAX = 10_000;
const PIPELINE_DEFAULT = 'default';

/** What people and programs do with envelopes. Standard input and HTTP are this one function. */
export class EnvelopeService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** Until it ends, waits for a person, or a bound is reached; or one stage. */
  async handle(input: unknown, options: EnvelopeOptions, pace: Pace, by: By, signal?: AbortSignal): Promise<Envelope> {
    return this.outcome(await this.receive(input, options, pace, by), signal);
  }

  /** It is durable when this resolves; whoever drives goes on with it. */
  async receive(input: unknown, options: EnvelopeOptions, pace: Pace, by: By): Promise<Received> {
    const sent = this.around.mover.sealDocument(readEnvelope(input));
    const run = sent.envelope.envelope_id;
    for (let tries = 1; ; tries += 1) {
      const live = await this.find(run);
      const outcome = live
        ? await this.again(live, sent, options, pace, by)
        : await this.first(sent, options, pace, by);
      // Somebody else was faster: what they sent may change what this one means.
      const isLate = outcome.type === 'refused' && outcome.refusal.code === 'CONCURRENCY_CONFLICT';
      if (!isLate || tries === TRIES_MAX) {
        orThrow(outcome);
        return { run, hash: sent.hash, pace };
      }
    }
  }

  /** What came of what was sent, once nobody works on it. */
  async outcome({ run, hash, pace }: Received, signal?: AbortSignal): Promise<Envelope> {
    const { engine, ports } = this.around;
    // What it owes besides, such as telling somebody of a question, is taken up first.
    await engine.drive(run);
    await whileDriven({ engine, clock: ports.clock }, run, this.untilStill(run, signal));
    const live = await this.state(run);
    const next = pace === 'step' ? afterVersion(live, hash) : undefined;
    return this.around.mover.envelope(next ?? live.now.document);
  }

  /** Who may be asked for its stages. */
  async agentsOf({ order }: LiveEnvelope): Promise<string[]> {
    const { stages } = await this.around.mover.pipeline(order.pipeline.document);
    const bound = stages.flatMap(({ agent }) => agent ?? []);
    return order.agent === null ? bound : [...bound, order.agent];
  }

  pipelines(): Promise<readonly string[]> {
    return this.around.pipelines.names();
  }

  /** As it is, or as it was behind one of its events. */
  async board(run: RunId, at?: number): Promise<EnvelopeBoard> {
    const { ports, mover } = this.around;
    const { store } = ports;
    const now = await this.state(run);
    const rows = await store.events(run, 0, EVENTS_MAX);
    const event = at ?? rows.length;
    if (event > rows.length) {
      throw new BatonError('USAGE', `there is no event ${event}; ${run} has ${rows.length}`, { at: event });
    }
    const isPast = event < rows.length;
    const live = isPast ? foldedAt(rows.slice(0, event)) : now;
    const [envelope, pipeline, items] = await Promise.all([
      mover.envelope(live.now.document),
      mover.pipeline(live.order.pipeline.document),
      live.asked && !isPast ? itemsOf(store, run) : [],
    ]);
    return envelopeBoard(live, { run, envelope, pipeline, rows, event, item: items[0]?.item ?? null });
  }

  async card(row: RunRow): Promise<EnvelopeCard> {
    const { mover } = this.around;
    const live = await this.state(row.run);
    const { now, order } = live;
    const [envelope, pipeline] = await Promise.all([
      mover.envelope(now.document),
      mover.pipeline(order.pipeline.document),
    ]);
    return envelopeCard(row, live, envelope, pipeline);
  }

  async current(run: RunId): Promise<Envelope> {
    return this.around.mover.envelope((await this.state(run)).now.document);
  }

  async state(run: RunId): Promise<LiveEnvelope> {
    const { ports, machines } = this.around;
    return (await readRunOf(ports.store, machines, 'envelope', run)).state as LiveEnvelope;
  }

  /** Resolves when nobody works on it, or the signal says that nobody waits. */
  untilStill(run: RunId, signal?: AbortSignal): Promise<void> {
    const { engine, ports } = this.around;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        unwatch();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      let isDue = false;
      // Events of one commit are told one by one: it is looked once for all of them.
      const look = async (): Promise<void> => {
        if (isDue) return;
        isDue = true;
        await Promise.resolve();
        isDue = false;
        if ((await ports.store.run(run))?.status !== 'running') end();
      };
      const unwatch = engine.watch(run, () => void look().catch(reject));
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
      else look().catch(reject);
    });
  }

  /** From the inbox: the same as sending it back with the answer in it. */
  async answer(run: RunId, key: string, answer: { text: string } | { yes: boolean }, by: By): Promise<void> {
    const live = await this.state(run);
    const { asked } = live;
    if (!asked || questionKey(asked.number) !== key) throw new BatonError('ITEM_CLOSED', 'the question is over');
    const sent = this.around.mover.sealDocument(withAnswer(await this.current(run), answer));
    orThrow(await this.again(live, sent, {}, 'process', by));
  }

  private async find(run: RunId): Promise<LiveEnvelope | null> {
    const row = await this.around.ports.store.run(run);
    if (!row) return null;
    if (row.kind !== 'envelope') throw new BatonError('ID_TAKEN', `there is a run ${run} already`, { run_id: run });
    return this.state(run);
  }

  private async first(sent: Sent, options: EnvelopeOptions, pace: Pace, by: By): Promise<Outcome> {
    const { mover, pipelines, ports, engine } = this.around;
    const { env = [], network = [] } = options;
    const repository = this.folderOf(options);
    const pipeline = await pipelines.named(options.pipeline ?? PIPELINE_DEFAULT);
    await refuseOtherPipeline(pipelines, sent.envelope, pipeline);
    const agent = options.agent ?? (hasUnbound(pipeline) ? await this.around.stageAgent() : null);
    const kept = mover.sealJson(pipeline);
    const order: EnvelopeOrder = {
      pipeline: { name: pipeline.name, document: kept.ref },
      repository,
      project: projectOf(options.project, repository?.folder),
      ...{ agent, env, network, limits: {} },
    };
    const applied = orDenied(receiveFirst(sent.envelope, pipeline, ports.clock.nowMs()));
    const { command, bodies } = await this.command(sent, { order, pipeline, applied, on: null, pace });
    const origin = { ...by, bodies: [...bodies, kept.body] };
    return engine.create(sent.envelope.envelope_id, 'envelope', command, origin);
  }

  /** One that was named is what the envelope is about; the one around is only where tools look. */
  private folderOf({ repo, around }: EnvelopeOptions): EnvelopeOrder['repository'] {
    const folder = repo ?? around ?? this.around.folder;
    return folder === undefined ? null : { folder, named: repo !== undefined };
  }

  private async again(live: LiveEnvelope, sent: Sent, options: EnvelopeOptions, pace: Pace, by: By): Promise<Outcome> {
    const { mover, pipelines, ports, engine } = this.around;
    const run = sent.envelope.envelope_id;
    const pipeline = await mover.pipeline(live.order.pipeline.document);
    await this.refuseOtherOrder(live, options);
    await refuseOtherPipeline(pipelines, sent.envelope, pipeline);
    const isKnown = live.versions.some(({ hash }) => hash === sent.hash);
    if (live.asked && ports.clock.nowMs() >= live.asked.expiresAtMs) {
      await this.untilExpired(run);
      if (!isKnown) throw tooLate(run, live.asked.kind);
    }
    if (isKnown) return this.go(run, sent.hash, options, pace);
    if (live.wave) throw busy(live);
    const known = { envelope: await mover.envelope(live.now.document), progress: live.now.progress };
    const applied = orDenied(receiveChanged(known, sent.envelope, pipeline, ports.clock.nowMs()));
    const order = { ...live.order, ...moreSaid(live, options) };
    const { command, bodies } = await this.command(sent, { order, pipeline, applied, on: live.now.hash, pace });
    return engine.send(run, command, { ...by, bodies });
  }

  /** The same envelope again: what is under way is waited for, what rests goes on, and a step that was made is made. */
  private async go(run: RunId, hash: string, options: EnvelopeOptions, pace: Pace): Promise<Outcome> {
    const { mover, engine, ports } = this.around;
    const live = await this.state(run);
    const more = moreSaid(live, options);
    const wanted = pace === 'step' && afterVersion(live, hash) ? 'rest' : pace;
    if (live.now.standing.due.length > 0 && wanted !== 'rest') {
      await checkAnswerers(
        this.around,
        await mover.pipeline(live.order.pipeline.document),
        more.agent ?? live.order.agent,
      );
    }
    const command: EnvelopeCommand = { type: 'Go', atMs: ports.clock.nowMs(), pace: wanted, more, on: live.now.hash };
    return engine.send(run, command as AnyCommand, { actor: 'sender' });
  }

  private async command(sent: Sent, { pipeline, applied, ...said }: Said): Promise<Ready> {
    const { order, on, pace } = said;
    const { moved, bodies } = this.around.mover.seal(applied, pipeline);
    if (moved.standing.due.length > 0 && pace !== 'rest') await checkAnswerers(this.around, pipeline, order.agent);
    const { ref: document, hash } = sent;
    const atMs = this.around.ports.clock.nowMs();
    const command: EnvelopeCommand = { type: 'Receive', atMs, order, moved, on, pace, sent: { document, hash } };
    return { command: command as AnyCommand, bodies: [sent.body, ...bodies] };
  }

  private async refuseOtherOrder({ order }: LiveEnvelope, { pipeline: said }: EnvelopeOptions): Promise<void> {
    if (said === undefined) return;
    const named = await this.around.pipelines.named(said);
    const { name, document } = order.pipeline;
    if (this.around.mover.sealJson(named).ref.sha256 === document.sha256) return;
    const reason = `this envelope began with pipeline ${name}, and goes on with it as it was then`;
    throw new BatonError('ENVELOPE_MISMATCH', reason, { pipeline: name });
  }

  private async untilExpired(run: RunId): Promise<void> {
    const { engine, ports } = this.around;
    const expired = new Promise<void>((resolve, reject) => {
      const look = async (): Promise<void> => {
        if ((await this.state(run)).asked !== null) return;
        unwatch();
        resolve();
      };
      const unwatch = engine.watch(run, () => void look().catch(reject));
      look().catch(reject);
    });
    await whileDriven({ engine, clock: ports.clock }, run, expired);
  }
}

/** The folder is pinned once it was named: what was found there is in the envelope. */
function moreSaid({ order }: LiveEnvelope, { agent, repo }: EnvelopeOptions): MoreSaid {
  const isNew = repo !== undefined && !order.repository?.named;
  return { ...(agent !== undefined && { agent }), ...(isNew && { repository: { folder: repo, named: true } }) };
}

type Sent = ReturnType<DocumentMover['sealDocument']>;
type Said = { order: EnvelopeOrder; pipeline: Pipeline; applied: Applied; on: string | null; pace: Pace };
type Ready = { command: AnyCommand; bodies: readonly SealedBody[] };

function orDenied(applied: Applied | Denial): Applied {
  if (!('allow' in applied)) return applied;
  throw new BatonError(applied.code, applied.reason, applied.details);
}

function busy({ wave }: LiveEnvelope): BatonError {
  const stages = wave?.stages.map(({ stage }) => stage) ?? [];
  const reason = `stage ${stages.join(', ')} is at work: send it again when that has ended`;
  return new BatonError('INVALID_TRANSITION', reason, { stages });
}

function tooLate(run: RunId, kind: string): BatonError {
  return new BatonError('INTERRUPT_EXPIRED', `the ${kind} was not answered in time`, { run_id: run });
}

/** What a version was followed by, once it is there. */
function afterVersion({ versions }: LiveEnvelope, hash: string): BodyRef | undefined {
  const at = versions.findLastIndex((version) => version.hash === hash);
  return versions.slice(at + 1).find(({ by }) => by === 'stages')?.document;
}

function foldedAt(rows: readonly EventRow[]): LiveEnvelope {
  const { initialState, evolve } = envelopeDecider;
  let state: EnvelopeRun = initialState();
  for (const { type, data } of rows) state = evolve(state, { ...JSON.parse(data), type } as EnvelopeEvent);
  if (state.status === 'new') throw new Error('an envelope is looked at after its first event');
  return state;
}

import { bridgeResponse } from '../../contracts/bridge/bridge-response.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { isObject } from '../../contracts/shared/is-object.js';
import { readJson } from '../../contracts/shared/read-json.js';
import { isFinal } from '../../core/bridge/bridge-decide.js';
import { ANSWERED_BY_HAND } from '../../core/bridge/bridge-evolve.js';
import type { BridgeCommand, BridgeOrder, BridgeProblem, BridgeReply } from '../../core/bridge/bridge-messages.js';
import { type LiveBridge, questionKey } from '../../core/bridge/bridge-state.js';
import { replyTo } from '../../core/bridge/reply.js';
import { projectOf } from '../../core/kernel/project.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import { newJobId } from '../job/job-id.js';
import { whileDriven } from '../keep-driving.js';
import type { AnyCommand, Machines } from '../machines.js';
import { pause } from '../pause.js';
import type { Ports, RunId, RunRow, SealedBody } from '../ports.js';
import { readRunOf } from '../read-run.js';
import { sealBody } from '../seal.js';
import { itemsOf } from '../shown/open-items.js';
import { type BridgeBoard, bridgeBoard, foldedAt } from './bridge-board.js';
import { type BridgeCard, bridgeCard } from './bridge-card.js';
import { type BridgeFolder, type FilesSeen, keepFiles } from './bridge-folder.js';
import { answererOf, type RequestSources, readRequest } from './read-request.js';

type Surroundings = RequestSources & {
  ports: Ports;
  engine: Engine;
  machines: Machines;
  folder: BridgeFolder;
};

/** What is said about a bridge: the flags of `baton bridge run`. */
export type BridgeOptions = {
  dir: string;
  argv?: readonly string[];
  agents?: Readonly<Record<string, string>>;
  profile?: string;
  project?: string;
  env?: readonly string[];
  network?: readonly string[];
};

/** How it ended; null when it was told to rest. */
export type BridgeOutcome = { exitCode: number; problem: BridgeProblem | null } | null;

const PAGE = 20;
const LOOK_AGAIN_MS = 200;
const EVENTS_MAX = 10_000;
const PLACE_LENGTH = 24;

/** What handlers and people do with bridges. */
export class BridgeService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** The run that somebody begins or goes on with in this folder. Whoever calls holds the folder. */
  async begin(options: BridgeOptions, handler: string, signal?: AbortSignal): Promise<RunId> {
    const { engine, ports } = this.around;
    const order = await this.orderOf(options);
    const known = await this.find(options.dir);
    const waits = known === null ? null : (await this.state(known)).request;
    const answerer = waits && (await answererOf(waits.agent_name, order.agents, this.around));
    const command = () => ({ type: 'Begin', atMs: ports.clock.nowMs(), order, handler, answerer }) as AnyCommand;
    if (!known) return this.create(order, command());
    // Somebody alive may still ask for what a handler that was killed had asked for: it was paid for.
    while (!signal?.aborted) {
      const outcome = await engine.takeWith(known, command(), { actor: 'handler' });
      if (outcome) {
        orThrow(outcome);
        break;
      }
      await pause(ports.clock, LOOK_AGAIN_MS);
    }
    return known;
  }

  /** Until the orchestrator has ended for good, or the handler is told to end. */
  async outcome(run: RunId, options: BridgeOptions, handler: string, signal: AbortSignal): Promise<BridgeOutcome> {
    const { engine, ports } = this.around;
    for (;;) {
      await whileDriven({ engine, clock: ports.clock }, run, this.untilStill(run, signal));
      if (signal.aborted) return null;
      const { stage, end } = await this.state(run);
      if (stage.name === 'over') return end;
      // It was taken from us while we were stopped: nobody else may start the orchestrator.
      await this.begin(options, handler, signal);
    }
  }

  /** Everything is kept; whoever begins next goes on. */
  async rest(run: RunId, handler: string): Promise<void> {
    const { engine, ports } = this.around;
    await engine.send(run, { type: 'Pause', atMs: ports.clock.nowMs(), handler } as AnyCommand, { actor: 'handler' });
  }

  /** Takes the request that lies in a folder, for an orchestrator that others start. Null: none that is not answered. */
  async take(options: BridgeOptions, seen: FilesSeen): Promise<RunId | null> {
    return (await this.takeRequest(options, seen))?.run ?? null;
  }

  /** An answer by hand: text, or a whole response. Resolves when it lies where the orchestrator reads it. */
  async respond(options: BridgeOptions, text: string, by: string): Promise<{ run: RunId; reply: BridgeReply }> {
    const { engine, ports, folder } = this.around;
    const seen = await folder.look(options.dir);
    const known = await this.find(options.dir);
    const waits = known === null ? null : (await this.state(known)).request;
    if (known === null || waits === null) return this.respondFirst(options, seen, { text, by });
    const { reply, bodies } = this.replyOf(waits.request_id, text);
    const command: BridgeCommand = { type: 'Respond', atMs: ports.clock.nowMs(), reply, by };
    orThrow(await engine.send(known, command as AnyCommand, { actor: by, bodies }));
    await this.untilDelivered(known);
    return { run: known, reply };
  }

  /** From the inbox. */
  async answer(run: RunId, key: string, answer: { text: string } | 'cancelled', by: string): Promise<void> {
    const { engine, ports } = this.around;
    const { request, stage } = await this.state(run);
    if (!request || stage.name !== 'waiting' || questionKey(stage.question) !== key) {
      throw new BatonError('ITEM_CLOSED', 'the question is over');
    }
    const { reply, bodies } =
      answer === 'cancelled' ? this.cancelled(request.request_id, by) : this.replyOf(request.request_id, answer.text);
    const command: BridgeCommand = { type: 'Respond', atMs: ports.clock.nowMs(), reply, by };
    orThrow(await engine.send(run, command as AnyCommand, { actor: by, bodies }));
  }

  /** What is kept of the folder's last run is not gone on with. Whoever calls holds the folder. */
  async abandon(dir: string): Promise<RunId | null> {
    const { engine, ports } = this.around;
    const known = await this.find(dir);
    if (!known) return null;
    const command = { type: 'Abandon', atMs: ports.clock.nowMs() } as AnyCommand;
    orThrow(
      (await engine.takeWith(known, command, { actor: 'cli' })) ??
        (await engine.send(known, command, { actor: 'cli' })),
    );
    return known;
  }

  /** The folder's newest run, unless it has ended for good. */
  async find(dir: string): Promise<RunId | null> {
    const newest = await this.newest(dir);
    if (!newest) return null;
    const { end, stage } = await this.state(newest);
    return end && stage.name === 'over' && isFinal(end) ? null : newest;
  }

  async newest(dir: string): Promise<RunId | null> {
    const { store } = this.around.ports;
    const search = this.placeOf(dir);
    const { items } = await store.runs({ kind: 'bridge', search, limit: PAGE });
    for (const { run } of items) if ((await this.state(run)).order.dir === dir) return run;
    return null;
  }

  async state(run: RunId): Promise<LiveBridge> {
    const { ports, machines } = this.around;
    return (await readRunOf(ports.store, machines, 'bridge', run)).state as LiveBridge;
  }

  /** As it is, or as it was behind one of its events. */
  async board(run: RunId, at?: number): Promise<BridgeBoard> {
    const { store } = this.around.ports;
    const now = await this.state(run);
    const rows = await store.events(run, 0, EVENTS_MAX);
    const event = at ?? rows.length;
    if (event > rows.length || event < 1) {
      throw new BatonError('USAGE', `there is no event ${event}; ${run} has ${rows.length}`, { at: event });
    }
    const isPast = event < rows.length;
    const live = isPast ? foldedAt(rows.slice(0, event)) : now;
    const items = live.stage.name === 'waiting' && !isPast ? await itemsOf(store, run) : [];
    return bridgeBoard(store, live, { run, rows, event, item: items[0]?.item ?? null });
  }

  async card(row: RunRow): Promise<BridgeCard> {
    return bridgeCard(row, await this.state(row.run));
  }

  files(dir: string): Promise<FilesSeen> {
    return this.around.folder.look(dir);
  }

  /**
   * Resolves when nobody works on it, or the signal says that nobody waits. While a person is asked nobody needs to own
   * it: with the answer it is taken again at once.
   */
  untilStill(run: RunId, signal?: AbortSignal): Promise<void> {
    const { engine, ports } = this.around;
    const isStill = async (): Promise<boolean> => {
      const row = await ports.store.run(run);
      if (row?.owes && row.owner === null && !signal?.aborted) await engine.drive(run);
      return STILL.includes(row?.status ?? '');
    };
    return this.until(run, isStill, signal);
  }

  /** A request that nobody has taken yet is taken together with its answer: nobody else is asked. */
  private async respondFirst(options: BridgeOptions, seen: FilesSeen, said: { text: string; by: string }) {
    const taken = await this.takeRequest(options, seen, said);
    if (!taken?.reply) {
      throw new BatonError('BRIDGE_NO_REQUEST', `no request waits in ${options.dir}`, { dir: options.dir });
    }
    await this.untilDelivered(taken.run);
    return { run: taken.run, reply: taken.reply };
  }

  private async takeRequest(
    options: BridgeOptions,
    seen: FilesSeen,
    said?: { text: string; by: string },
  ): Promise<{ run: RunId; reply: BridgeReply | null } | null> {
    const { ports, engine } = this.around;
    if (!seen.request?.bytes) return null;
    const order = await this.orderOf(options);
    const { request, body } = await readRequest(seen.request.bytes, order, this.around);
    const { files, bodies } = keepFiles(ports, seen);
    const answer = said ? this.replyOf(request.request_id, said.text) : null;
    const command: BridgeCommand = {
      ...{ type: 'Take', atMs: ports.clock.nowMs(), order, request, files },
      ...(said && answer && { given: { reply: answer.reply, by: said.by } }),
    };
    const origin = { actor: said?.by ?? 'handler', bodies: [...bodies, body, ...(answer?.bodies ?? [])] };
    const reply = answer?.reply ?? null;
    const known = await this.find(options.dir);
    if (!known) return { run: await this.create(order, command as AnyCommand, origin.bodies), reply };
    orThrow(await engine.send(known, command as AnyCommand, origin));
    return { run: known, reply };
  }

  /** Where a handler is at work the orchestrator is told by it; else the response is written here. */
  private async untilDelivered(run: RunId): Promise<void> {
    const { engine, ports } = this.around;
    const isDue = async (): Promise<boolean> => (await ports.store.run(run))?.status === 'delivering';
    if (!(await isDue())) return;
    await whileDriven(
      { engine, clock: ports.clock },
      run,
      this.until(run, async () => !(await isDue())),
    );
    const { stage, order } = await this.state(run);
    if (stage.name === 'interrupted' && stage.reason !== ANSWERED_BY_HAND) {
      throw new BatonError('BRIDGE_FOLDER_UNUSABLE', stage.reason, { dir: order.dir });
    }
  }

  private until(run: RunId, isSo: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        unwatch();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const look = async (): Promise<void> => {
        if (await isSo()) end();
      };
      const unwatch = this.around.engine.watch(run, () => void look().catch(reject));
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
      else look().catch(reject);
    });
  }

  private async create(order: BridgeOrder, command: AnyCommand, bodies: readonly SealedBody[] = []): Promise<RunId> {
    const { ports, engine } = this.around;
    for (;;) {
      const run = newJobId(`bridge ${projectOf(undefined, order.dir)}`, () => ports.ids.random());
      if (await ports.store.run(run)) continue;
      orThrow(await engine.createHere(run, 'bridge', command, { actor: 'handler', bodies }));
      return run;
    }
  }

  private async orderOf(options: BridgeOptions): Promise<BridgeOrder> {
    const { dir, argv = null, agents = {}, profile = null, project, env = [], network = [] } = options;
    if (profile !== null) await this.around.profile(profile);
    for (const agent of Object.values(agents)) {
      if (!(await this.around.knowsAgent(agent)))
        throw new BatonError('AGENT_NOT_FOUND', `nobody is called ${agent}`, { agent });
    }
    const place = this.placeOf(dir);
    return { dir, place, argv, agents, profile, project: projectOf(project, dir), env, network, limits: {} };
  }

  private placeOf(dir: string): string {
    return `at${this.around.ports.hasher.sha256(dir).slice(0, PLACE_LENGTH)}`;
  }

  /** An object with request_id and status is a whole response; everything else is the text of one. */
  private replyOf(request_id: string, text: string): { reply: BridgeReply; bodies: SealedBody[] } {
    const { ports } = this.around;
    const atMs = ports.clock.nowMs();
    const read = readJson(text);
    const whole = 'value' in read && isObject(read.value) && 'request_id' in read.value && 'status' in read.value;
    if (!whole) {
      const { ref: answer, body } = sealBody(ports, text);
      return { reply: replyTo({ request_id }, { status: 'success', atMs, answer }), bodies: [body] };
    }
    const said = parseContract(bridgeResponse, read.value);
    const sealed = said.response === undefined ? null : sealBody(ports, said.response);
    const { model = null, tokens_used: tokens = null, confidence = null } = said.metadata ?? {};
    const error =
      said.status === 'success'
        ? null
        : { type: said.error_type ?? 'UNKNOWN', message: said.error_message ?? said.status };
    const durationMs = said.duration_seconds === undefined ? null : said.duration_seconds * 1_000;
    const answer = sealed?.ref ?? null;
    const reply: BridgeReply = {
      request_id: said.request_id,
      status: said.status,
      atMs,
      answer,
      error,
      durationMs,
      model,
      tokens,
      confidence,
    };
    return { reply, bodies: sealed ? [sealed.body] : [] };
  }

  private cancelled(request_id: string, by: string): { reply: BridgeReply; bodies: SealedBody[] } {
    const error = { type: 'UNKNOWN', message: `${by} did not want to answer` } as const;
    return {
      reply: replyTo({ request_id }, { status: 'cancelled', atMs: this.around.ports.clock.nowMs(), error }),
      bodies: [],
    };
  }
}

/** Statuses in which nobody works on it. */
const STILL: readonly string[] = ['interrupted', 'watching', 'done', 'failed', 'abandoned'];

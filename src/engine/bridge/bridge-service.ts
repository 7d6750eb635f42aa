import type { BridgeBoard, BridgeCard } from '../../contracts/api/bridge-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { isFinal } from '../../core/bridge/bridge-decide.js';
import type {
  BridgeCommand,
  BridgeOrder,
  BridgeProblem,
  BridgeReply,
  ByHand,
  TakenRequest,
} from '../../core/bridge/bridge-messages.js';
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
import type { Origin } from '../seal.js';
import { itemsOf } from '../shown/open-items.js';
import { bridgeBoard, foldedAt } from './bridge-board.js';
import { bridgeCard } from './bridge-card.js';
import { type BridgeFolder, type FilesSeen, keepFiles } from './bridge-folder.js';
import { answererOf, type RequestSources, readRequest } from './read-request.js';
import { replyByHand } from './reply-by-hand.js';

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
/** So much of a command is shown: an event has no room for every one. */
const ARGUMENTS_MAX = 50;
const ARGUMENT_MAX = 300;

/** What handlers and people do with bridges. */
export class BridgeService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** The run that somebody begins or goes on with in this folder. Whoever calls holds the folder. */
  async begin(options: BridgeOptions, handler: string, signal?: AbortSignal): Promise<RunId> {
    const order = await this.orderOf(options);
    const known = await this.unfinished(options.dir);
    if (!known) return this.create(order, this.beginning(order, handler));
    await this.goOn(known, order, handler, signal);
    return known;
  }

  /** Answered by hand and gone on with by hand, it has ended without us: that is seen by what it left. */
  private async unfinished(dir: string): Promise<RunId | null> {
    const known = await this.find(dir);
    const { request, response, state } = await this.around.folder.look(dir);
    if (known === null || request || response || state) return known;
    await this.gone(known);
    return this.find(dir);
  }

  private beginning(order: BridgeOrder, handler: string, answerer: TakenRequest['answerer'] = null): AnyCommand {
    return { type: 'Begin', atMs: this.around.ports.clock.nowMs(), order, handler, answerer } as AnyCommand;
  }

  private async goOn(run: RunId, order: BridgeOrder, handler: string, signal?: AbortSignal): Promise<void> {
    const { engine, ports } = this.around;
    const { request } = await this.state(run);
    const answerer = request && (await answererOf(request.agent_name, order.agents, this.around));
    // Somebody alive may still ask for what a handler that was killed had asked for: it was paid for.
    while (!signal?.aborted) {
      const outcome = await engine.takeWith(run, this.beginning(order, handler, answerer), { actor: 'handler' });
      if (outcome?.type === 'refused' && (await this.state(run)).stage.name !== 'over') orThrow(outcome);
      // Whoever had it may have brought it to its end: that is what came of it.
      if (outcome) return;
      await pause(ports.clock, LOOK_AGAIN_MS);
    }
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
      await this.goOn(run, await this.orderOf(options), handler, signal);
    }
  }

  /** Everything is kept; whoever begins next goes on. */
  async rest(run: RunId, handler: string): Promise<void> {
    const { engine, ports } = this.around;
    await engine.send(run, { type: 'Pause', atMs: ports.clock.nowMs(), handler } as AnyCommand, { actor: 'handler' });
  }

  /** Takes the request that lies in a folder, for an orchestrator that others start. Null: none that is not answered. */
  async take(options: BridgeOptions, seen: FilesSeen): Promise<RunId | null> {
    if (!seen.request?.bytes) return null;
    const order = await this.orderOf(options);
    const taken = await readRequest(seen.request.bytes, order, this.around);
    return this.taken(order, seen, taken, null);
  }

  private async taken(
    order: BridgeOrder,
    seen: FilesSeen,
    { request, body }: Awaited<ReturnType<typeof readRequest>>,
    answer: (ByHand & { bodies: readonly SealedBody[] }) | null,
  ): Promise<RunId> {
    const { ports, engine } = this.around;
    const { files, bodies: kept } = keepFiles(ports, seen);
    const byHand = answer && { reply: answer.reply, by: answer.by };
    const atMs = ports.clock.nowMs();
    const command = { type: 'Take', atMs, order, request, files, answer: byHand } satisfies BridgeCommand as AnyCommand;
    const bodies = [...kept, body, ...(answer?.bodies ?? [])];
    const known = await this.find(order.dir);
    if (!known) return this.create(order, command, bodies);
    orThrow(await engine.send(known, command, { actor: answer?.by ?? 'handler', bodies }));
    return known;
  }

  /** Nothing lies in the folder of an orchestrator that others start: what it asks next is another run's. */
  async gone(run: RunId): Promise<void> {
    const { engine, ports } = this.around;
    await engine.send(run, { type: 'Gone', atMs: ports.clock.nowMs() } as AnyCommand, { actor: 'handler' });
  }

  /** An answer by hand: text, or a whole response. Resolves when it lies where the orchestrator reads it. */
  async respond(options: BridgeOptions, text: string, by: string): Promise<{ run: RunId; reply: BridgeReply }> {
    const { engine, ports, folder } = this.around;
    const { dir } = options;
    const seen = await folder.look(dir);
    const known = await this.find(dir);
    const waits = known === null ? null : (await this.state(known)).request;
    const order = await this.orderOf(options);
    // What lies in the folder is what is asked now, whatever a run that nobody handles had asked before.
    const lying = seen.request?.bytes ? await readRequest(seen.request.bytes, order, this.around) : null;
    const asked = lying?.request ?? waits;
    let run = known;
    const nobody = new BatonError('BRIDGE_NO_REQUEST', `no request waits in ${dir}`, { dir });
    if (!asked) throw nobody;
    const { reply, bodies } = replyByHand(ports, asked, text);
    if (lying && waits?.request_id !== asked.request_id) {
      run = await this.taken(order, seen, lying, { reply, by, bodies });
    } else if (run) {
      const command = { type: 'Respond', atMs: ports.clock.nowMs(), reply, by } satisfies BridgeCommand as AnyCommand;
      orThrow(await engine.send(run, command, { actor: by, bodies }));
    }
    if (!run) throw nobody;
    await this.untilDelivered(run, reply);
    return { run, reply };
  }

  /** From the inbox. */
  async answer(
    run: RunId,
    key: string,
    answer: { text: string } | 'cancelled',
    by: Pick<Origin, 'actor' | 'key'>,
  ): Promise<void> {
    const { engine, ports } = this.around;
    const { request, stage } = await this.state(run);
    if (!request || stage.name !== 'waiting' || questionKey(stage.question) !== key) {
      throw new BatonError('ITEM_CLOSED', 'the question is over');
    }
    const { reply, bodies } =
      answer === 'cancelled' ? this.cancelled(request.request_id, by.actor) : replyByHand(ports, request, answer.text);
    const command: BridgeCommand = { type: 'Respond', atMs: ports.clock.nowMs(), reply, by: by.actor };
    orThrow(await engine.send(run, command as AnyCommand, { ...by, bodies }));
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
    return bridgeBoard({ store, hasher: this.around.ports.hasher }, live, {
      run,
      rows,
      event,
      item: items[0]?.item ?? null,
    });
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

  private async untilDelivered(run: RunId, { request_id }: BridgeReply): Promise<void> {
    const { engine, ports } = this.around;
    const isDone = async (): Promise<boolean> => (await ports.store.run(run))?.status !== 'delivering';
    // Where a handler is at work it tells the orchestrator, and nobody else may drive the run.
    if (!(await isDone())) await whileDriven({ engine, clock: ports.clock }, run, this.until(run, isDone));
    const { undelivered, order } = await this.state(run);
    if (undelivered === null) return;
    throw new BatonError(
      'FILE_UNWRITABLE',
      `the answer to ${request_id} is kept, and not in its folder: ${undelivered}`,
      {
        file: order.dir,
      },
    );
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
    if (this.around.ports.scrub(dir) !== dir) {
      throw new BatonError('USAGE', 'the path of the folder holds a secret, and would not be found again by it');
    }
    const place = this.placeOf(dir);
    const shown = argv && this.shown(argv);
    return { dir, place, argv: shown, agents, profile, project: projectOf(project, dir), env, network, limits: {} };
  }

  /** Whole arguments first: half of a secret is not recognised. */
  private shown(argv: readonly string[]): string[] {
    return argv.slice(0, ARGUMENTS_MAX).map((argument) => this.around.ports.scrub(argument).slice(0, ARGUMENT_MAX));
  }

  private placeOf(dir: string): string {
    return `at${this.around.ports.hasher.sha256(dir).slice(0, PLACE_LENGTH)}`;
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

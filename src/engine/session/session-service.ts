import type { Submission } from '../../contracts/generated/types/submission.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { ownWorkProblem } from '../../core/access/own-work.js';
import { LEAST_ROLE } from '../../core/access/role.js';
import { type BodyRef, NO_USAGE, type Usage } from '../../core/kernel/effect.js';
import { turnKey } from '../../core/session/session-effects.js';
import type {
  ApprovalDecision,
  CopiedThread,
  SessionCommand,
  SessionOrder,
  ThreadNode,
} from '../../core/session/session-messages.js';
import type { LiveSession } from '../../core/session/session-state.js';
import { drivingProblem, widerProblem } from '../../core/session/wider-order.js';
import { type Outcome, orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { FoldedRun } from '../folded-run.js';
import { newJobId } from '../job/job-id.js';
import type { AnyCommand, Machines } from '../machines.js';
import type { EventRow, Left, Ports, RunId, SealedBody } from '../ports.js';
import { readRunOf } from '../read-run.js';
import { type Origin, sealBody, sealJson } from '../seal.js';
import { Elsewhere } from './elsewhere.js';
import { findResponse, isResponseId } from './find-response.js';
import { type Drives, KeepGoing } from './keep-going.js';
import type { LiveRelay, LiveText } from './live-text.js';
import { printedSoFar } from './printed-so-far.js';
import type { EventPage, SessionCaller, SessionDesk, SetUp, WireEvent } from './session-desk.js';
import { type OpOf, type OrderSources, sessionOrder } from './session-orders.js';
import { type ReadImage, textOf, titleOf, userItems } from './user-items.js';
import { configuredMessage, wireEvent } from './wire-event.js';

export type SessionSurroundings = Omit<OrderSources, 'ports'> & {
  ports: Ports;
  engine: Engine;
  machines: Machines;
  live: LiveText;
  relay: Pick<LiveRelay, 'follow'>;
  image: ReadImage;
  /** What an attempt has used so far. */
  spentOf(of: { run: RunId; handoff: string; attempt: number }): Left;
  fourEyes(): Promise<boolean>;
  /** Which sessions this process moves on. */
  drives: Drives;
};

type Command = SessionCommand;
type By = Pick<Origin, 'actor' | 'key'>;
type CalledOff = Pick<Extract<Command, { type: 'Interrupt' }>, 'used' | 'ask' | 'printed'>;

const TRIES_FOR_A_NAME = 5;
const PAGE_MAX = 500;
/** A page ends with the event that makes it so long: outputs of commands may have a megabyte each. */
const PAGE_BYTES = 2 * 1024 * 1024;

/** What clients do with sessions, whatever they speak. */
export class SessionService implements SessionDesk {
  private readonly around: SessionSurroundings;
  private readonly going: KeepGoing;
  private readonly elsewhere: Elsewhere;

  constructor(around: SessionSurroundings) {
    this.around = around;
    this.going = new KeepGoing(around.engine, around.ports, around.drives);
    this.elsewhere = new Elsewhere(around.engine, around.ports, around.relay);
  }

  async configure(
    submission: Submission,
    caller: SessionCaller,
    current: RunId | null,
    key?: Origin['key'],
  ): Promise<SetUp> {
    const op = submission.op as OpOf<'configure_session'>;
    const { order, bodies } = await sessionOrder(op, caller, this.around);
    const { session, thread, more } = await this.resumed(op.resume_from, current);
    await this.checkWidth(order, session, caller);
    const at = { atMs: this.around.ports.clock.nowMs(), sub: submission.id };
    const begin = { ...at, type: 'Configure', order, thread } as const;
    const given = [...bodies, ...more];
    if (session === null)
      return this.create({ ...begin, used: NO_USAGE }, { actor: caller.actor, ...(key && { key }) }, given);
    const { off, bodies: printed } = this.calledOffNow(session, await this.state(session));
    const all = { bodies: [...given, ...printed], answer: setUpAnswer(session) };
    const origin = { ...this.origin(session, submission, caller), ...all };
    const outcome = await this.send(session, { ...begin, ...off }, origin);
    return { ...setUpBy(outcome, session), replies: this.answered(submission.id, outcome) };
  }

  async submit(session: RunId, submission: Submission, caller: SessionCaller): Promise<readonly WireEvent[]> {
    const { id, op } = submission;
    const origin = this.origin(session, submission, caller);
    const at = { atMs: this.around.ports.clock.nowMs(), sub: id };
    switch (op.type) {
      case 'user_input':
        await this.checkDriving(session, caller);
        return this.answered(id, await this.input(session, op, at, origin));
      case 'interrupt':
        return this.answered(id, await this.calledOff(session, { ...at, type: 'Interrupt' }, origin));
      case 'shutdown':
        if ((await this.state(session)).status === 'closed') return [{ id, msg: { type: 'shutdown_complete' } }];
        return this.answered(id, await this.calledOff(session, { ...at, type: 'Shutdown' }, origin));
      case 'exec_approval':
      case 'patch_approval': {
        await this.checkOwnWork(session, caller);
        const kind = op.type === 'patch_approval' ? 'patch' : 'exec';
        const { id: callId, decision, guidance = null } = op;
        const said = { kind, callId, decision, by: caller.actor, guidance } as const;
        return this.answered(id, await this.calledOff(session, { ...at, type: 'Approve', ...said }, origin));
      }
      case 'add_to_history': {
        const { ref: entry, body } = sealBody(this.around.ports, op.text);
        const command: Command = { ...at, type: 'AddHistory', entry };
        return this.answered(id, await this.send(session, command, { ...origin, bodies: [body] }));
      }
      case 'compact':
        await this.checkDriving(session, caller);
        return this.answered(id, await this.send(session, { ...at, type: 'Compact' }, origin));
      case 'get_history_entry_request':
        return [{ id, msg: await this.historyEntry(session, op) }];
      default:
        throw new BatonError('NOT_SUPPORTED', `${op.type} is not an op of a session in this release`, { op: op.type });
    }
  }

  async describe(session: RunId): Promise<WireEvent['msg']> {
    const { order, entries, nodes, head } = await this.state(session);
    const lastResponseId = head === null ? null : (nodes[head]?.responseId ?? null);
    return configuredMessage(session, order, { resumed: true, entries: entries.length, lastResponseId });
  }

  async place(session: RunId): Promise<number> {
    return (await this.around.ports.store.run(session))?.version ?? 0;
  }

  async events(session: RunId, after: number, limit: number): Promise<EventPage> {
    const rowsMax = Math.min(limit, PAGE_MAX);
    const rows = await this.around.ports.store.events(session, after, rowsMax);
    return this.page(session, rows, { after, isRest: rows.length < rowsMax });
  }

  async nextEvents(session: RunId, after: number, limit: number): Promise<EventPage> {
    const rows = await this.around.ports.store.nextEvents(session, after, Math.min(limit, PAGE_MAX));
    return this.page(session, rows, { after, isRest: rows.length === 0 });
  }

  private async page(
    session: RunId,
    rows: readonly EventRow[],
    { after, isRest }: { after: number; isRest: boolean },
  ): Promise<EventPage> {
    const { store } = this.around.ports;
    const events: WireEvent[] = [];
    let bytes = 0;
    const body = async (sha256: string) => {
      const text = await store.body(sha256);
      bytes += text?.length ?? 0;
      return text;
    };
    for (const row of rows) {
      const event = await wireEvent(row, { session, body });
      if (event) events.push(event);
      if (bytes > PAGE_BYTES) return { events, next: row.seq, isRest: isRest && row === rows.at(-1) };
    }
    return { events, next: rows.at(-1)?.seq ?? after, isRest };
  }

  watch(session: RunId, call: (seq?: number) => void): () => void {
    const release = this.going.watch(session);
    const unwatch = this.around.engine.watch(session, call);
    return () => {
      unwatch();
      release();
    };
  }

  live(session: RunId, call: (event: WireEvent) => void): () => void {
    const unlisten = this.around.live.listen(session, call);
    const unfollow = this.elsewhere.follow(session, call);
    return () => {
      unlisten();
      unfollow();
    };
  }

  async state(session: RunId): Promise<LiveSession> {
    const known = this.around.engine.peek(session);
    if (known?.machine.kind === 'session') return known.state as LiveSession;
    const { ports, machines } = this.around;
    try {
      return (await readRunOf(ports.store, machines, 'session', session)).state as LiveSession;
    } catch (failure) {
      if (!(failure instanceof BatonError) || failure.code !== 'RUN_NOT_FOUND') throw failure;
      throw new BatonError('SESSION_NOT_FOUND', `there is no session ${session}`, { session_id: session });
    }
  }

  /** An answer by way of the inbox. */
  async answer(
    session: RunId,
    callId: string,
    { decision, guidance }: { decision: ApprovalDecision; guidance: string | null },
    by: By,
  ): Promise<void> {
    const { task } = await this.state(session);
    const kind = task?.calls.get(callId)?.deed?.kind === 'patch' ? 'patch' : 'exec';
    const at = { atMs: this.around.ports.clock.nowMs(), sub: callId };
    const said = { kind, callId, decision, by: by.actor, guidance } as const;
    await this.calledOff(session, { ...at, type: 'Approve', ...said }, by);
  }

  close(): void {
    this.going.close();
  }

  private async input(session: RunId, op: OpOf<'user_input'>, at: { atMs: number; sub: string }, origin: Origin) {
    const { ports, image } = this.around;
    const state = await this.state(session);
    const items = sealJson(ports, await userItems(op, state.order.cwd, image));
    const entry = sealBody(ports, textOf(op));
    const { off, bodies } = this.calledOffNow(session, state);
    const command: Command = {
      ...{ ...at, type: 'Input', title: titleOf(op, ports.scrub), from: op.last_response_id ?? null },
      ...{ items: items.ref, entry: entry.ref, ...off },
    };
    return this.send(session, command, { ...origin, bodies: [items.body, entry.body, ...bodies] });
  }

  private async calledOff(
    session: RunId,
    command: Extract<Command, { used: Usage }> extends infer One
      ? One extends { used: Usage }
        ? Omit<One, 'used'>
        : never
      : never,
    origin: Origin,
  ): Promise<Outcome> {
    const isOther = command.type === 'Approve' && command.decision !== 'abort';
    if (isOther) return this.send(session, { ...command, used: NO_USAGE }, origin);
    const { off, bodies } = this.calledOffNow(session, await this.state(session));
    return this.send(session, { ...command, ...off } as Command, { ...origin, bodies });
  }

  private async send(session: RunId, command: Command, origin: Origin): Promise<Outcome> {
    const outcome = orThrow(await this.around.engine.send(session, command as AnyCommand, origin));
    this.going.look(session, outcome.type === 'accepted' ? standingOf(outcome.folded) : undefined);
    return outcome;
  }

  private async create(command: Command, by: By, bodies: readonly SealedBody[]): Promise<SetUp> {
    const { engine, ports } = this.around;
    const { cwd } = (command as Extract<Command, { type: 'Configure' }>).order;
    const words = cwd.split('/').at(-1) ?? '';
    for (let tries = 1; ; tries += 1) {
      // Many sessions work in one folder: three characters would soon meet.
      const run = `${newJobId(words || 'session', ports.ids.random)}${newJobId('', ports.ids.random).slice(-3)}`;
      if (await ports.store.run(run)) continue;
      const origin = { ...by, bodies, answer: setUpAnswer(run) };
      const outcome = await engine.createHere(run, 'session', command as AnyCommand, origin);
      if (outcome.type === 'accepted' || outcome.type === 'repeated') return { ...setUpBy(outcome, run), replies: [] };
      if (tries === TRIES_FOR_A_NAME) orThrow(outcome);
    }
  }

  /** The session that is gone on with, or the thread that a new one begins with. */
  private async resumed(
    from: string | undefined,
    current: RunId | null,
  ): Promise<{ session: RunId | null; thread: CopiedThread | null; more: readonly SealedBody[] }> {
    if (from === undefined) return { session: current, thread: null, more: [] };
    const { ports, machines } = this.around;
    const row = await ports.store.run(from);
    if (row?.kind === 'session') return { session: from, thread: null, more: [] };
    if (!isResponseId(from)) {
      const reason = `there is no session ${from}, and no response is named so`;
      throw new BatonError('SESSION_NOT_FOUND', reason, { resume_from: from });
    }
    const found = await findResponse(ports, machines, from);
    const nodes: readonly ThreadNode[] = found ?? [
      { parent: null, origin: from, responseId: from, input: [], output: null, copied: null, outcome: [] },
    ];
    const { ref, body } = sealJson(ports, nodes);
    return {
      session: current,
      thread: { nodes: ref, count: nodes.length, responseId: from, outcome: nodes.at(-1)?.outcome ?? [] },
      more: [body],
    };
  }

  private async historyEntry(
    session: RunId,
    { offset, log_id }: OpOf<'get_history_entry_request'>,
  ): Promise<WireEvent['msg']> {
    const { entries } = await this.state(session);
    const ref: BodyRef | undefined = log_id === undefined || log_id === session ? entries[offset] : undefined;
    const bytes = ref && (await this.around.ports.store.body(ref.sha256));
    const entry = bytes ? { text: new TextDecoder().decode(bytes) } : null;
    return { type: 'get_history_entry_response', offset, log_id: log_id ?? session, entry };
  }

  private origin(session: RunId, { id, op }: Submission, { actor, client }: SessionCaller): Origin {
    const payload = this.around.ports.hasher.sha256(JSON.stringify(op));
    return { actor, key: { scope: `session:${session}:${client}`, key: id, payload } };
  }

  private answered(id: string, outcome: Outcome): readonly WireEvent[] {
    if (outcome.type !== 'repeated') return [];
    const message = `a submission with the id ${id} was taken before; this one changed nothing`;
    return [{ id, msg: { type: 'warning', message, code: 'REPEATED' } }];
  }

  /** What is under way has cost and printed something, which is kept when it is called off. */
  private calledOffNow(run: RunId, { task }: LiveSession): { off: CalledOff; bodies: readonly SealedBody[] } {
    const { ports, live, spentOf } = this.around;
    switch (task?.stage.name) {
      case 'asking':
      case 'compacting': {
        const { turn, attempt } = task;
        const { thread: _, ...used } = spentOf({ run, handoff: turnKey(task), attempt });
        return { off: { used, ask: { turn, attempt } }, bodies: [] };
      }
      case 'working': {
        const { printed, bodies } = printedSoFar(ports, task, live.soFar(run));
        return { off: { used: NO_USAGE, printed }, bodies };
      }
      default:
        return { off: { used: NO_USAGE }, bodies: [] };
    }
  }

  private async checkWidth(order: SessionOrder, session: RunId | null, caller: SessionCaller): Promise<void> {
    const before = session === null ? null : (await this.state(session)).order;
    const author = session === null ? caller.actor : await this.authorOf(session);
    const isOwn = author === caller.actor && (await this.around.fourEyes());
    refuseWith(widerProblem(order, before, caller, isOwn) ?? drivingProblem(order, caller));
  }

  private async checkDriving(session: RunId, caller: SessionCaller): Promise<void> {
    refuseWith(drivingProblem((await this.state(session)).order, caller));
  }

  private async authorOf(session: RunId): Promise<string | null> {
    const [first] = await this.around.ports.store.events(session, 0, 1);
    return first?.actor ?? null;
  }

  private async checkOwnWork(session: RunId, { actor, agent }: SessionCaller): Promise<void> {
    const { order } = await this.state(session);
    const author = await this.authorOf(session);
    const raised = { author, agents: [order.agent, ...(order.parent ? [order.parent] : [])] };
    const problem = ownWorkProblem({ name: actor, agent }, raised, { fourEyes: await this.around.fourEyes() });
    if (problem !== undefined) {
      throw new BatonError('FORBIDDEN', problem, { session_id: session, needed: 'somebody else' });
    }
  }
}

const standingOf = ({ machine, state }: FoldedRun) => machine.summary(state);

type StoredAnswer = { session_id?: RunId; version?: number };

/** `session_configured` is the last that setting up writes. */
const setUpAnswer = (session: RunId) => (_: object, version: number) => {
  return JSON.stringify({ session_id: session, version } satisfies StoredAnswer);
};

/** Of one that was repeated, what was answered the first time; a session that an earlier release made has no version there. */
function setUpBy(outcome: Outcome, session: RunId): Pick<SetUp, 'session' | 'seq'> {
  if (outcome.type === 'accepted') return { session, seq: outcome.version };
  const { session_id = session, version = 1 }: StoredAnswer =
    outcome.type === 'repeated' ? JSON.parse(outcome.answer) : {};
  return { session: session_id, seq: version };
}

function refuseWith(problem: string | undefined): void {
  if (problem !== undefined) throw new BatonError('FORBIDDEN', problem, { needed: LEAST_ROLE['session.approve'] });
}

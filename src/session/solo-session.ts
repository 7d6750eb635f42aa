import { type Ask, type BodyRef, type EffectResult, NO_USAGE, type Perform } from '../core/kernel/effect.js';
import { sessionDecider } from '../core/session/session-decider.js';
import type { TurnFacts } from '../core/session/session-effects.js';
import type { SessionCommand, SessionEvent, SessionOrder, TaskFailure } from '../core/session/session-messages.js';
import type { LiveSession } from '../core/session/session-state.js';
import type { AskOutcome, Clock, Deeds, Hasher, Held, SealedBody } from '../engine/ports.js';
import type { Scrub } from '../engine/scrub.js';
import { sealBody, sealJson } from '../engine/seal.js';
import { type TurnRequest, turnRequest } from '../engine/session/read-thread.js';
import { readTurn } from '../engine/session/read-turn.js';
import { userItem } from '../engine/session/thread-items.js';
import { SoloLog } from './solo-log.js';
import { toolsFor } from './tool-definitions.js';

export type SoloEnd = { type: 'complete'; message: string } | { type: 'failed'; code: TaskFailure; message: string };

export type SoloWorld = {
  held: Held;
  clock: Clock;
  scrub: Scrub;
  hasher: Hasher;
  /** All that is said and done, by its hash; the deeds read from it. */
  bodies: Map<string, Uint8Array>;
  deeds: Deeds;
  /** Asks the model for one turn. Settles when nothing of it is under way any more. */
  ask(turn: TurnRequest, facts: TurnFacts, signal: AbortSignal): Promise<AskOutcome>;
  /** Gets a line of what happens, not scrubbed. */
  tell(line: string): void;
  signal: AbortSignal;
};

export type SoloOrder = Omit<SessionOrder, 'instructions' | 'approval'> & { instructions: string };

/**
 * A session that is part of something else which lasts: nothing of it is kept, nobody is asked. The same machine as
 * that of every session, with its effects done here, one after the other. What is called off ends before it settles.
 */
export class SoloSession {
  private readonly world: SoloWorld;
  private readonly log: SoloLog;
  private state = sessionDecider.initialState();
  private tasks = 0;
  private end: SoloEnd | undefined;

  constructor({ instructions, ...order }: SoloOrder, world: SoloWorld) {
    this.world = world;
    this.log = new SoloLog(world.tell, (ref) => this.text(ref));
    const told = this.keep(sealBody(this.world, instructions));
    this.decide({
      ...{ type: 'Configure', sub: 'configure', thread: null, used: NO_USAGE, atMs: world.clock.nowMs() },
      order: { ...order, instructions: told, approval: 'never' },
    });
  }

  /** Goes on with the thread until the model has nothing more to do. */
  async say(text: string): Promise<SoloEnd> {
    const { clock, signal } = this.world;
    this.tasks += 1;
    this.end = undefined;
    const sub = `task-${this.tasks}`;
    const items = this.keep(sealJson(this.world, [userItem(text)]));
    const input = { title: '', items, entry: items, from: null } as const;
    this.decide({ type: 'Input', sub, atMs: clock.nowMs(), used: NO_USAGE, ...input });
    while (!this.end) {
      const result = signal.aborted ? undefined : await this.next();
      // Whatever came of it: who has called it off wants nothing more of it.
      this.decide(signal.aborted || !result ? { type: 'Interrupt', sub, used: NO_USAGE, atMs: clock.nowMs() } : result);
    }
    return this.end;
  }

  private async next(): Promise<EffectResult | undefined> {
    const [effect] = sessionDecider.outstanding(this.state);
    try {
      switch (effect?.type) {
        case 'Ask':
          return await this.ask(effect);
        case 'Perform':
          return await this.perform(effect);
        case 'Wake':
          await until(this.world, effect.atMs);
          return { type: 'Woke', key: effect.key, atMs: this.world.clock.nowMs() };
        default:
          throw new Error(`a session of its own cannot do ${effect?.type ?? 'nothing'}`);
      }
    } catch (problem) {
      if (this.world.signal.aborted) return undefined;
      throw problem;
    }
  }

  private async ask({ key, request, deadlineMs }: Ask): Promise<EffectResult> {
    const { clock, held, signal } = this.world;
    const facts = (request as { from: object }).from as TurnFacts;
    const state = async () => this.state as LiveSession;
    const body = async (sha256: string) => this.world.bodies.get(sha256);
    const turn = await turnRequest({ state, body, tools: async (order) => toolsFor(order) }, held.run, facts);
    const late = new AbortController();
    const forget = clock.after(Math.max(0, deadlineMs - clock.nowMs()), () => late.abort());
    const outcome = await this.world.ask(turn, facts, AbortSignal.any([signal, late.signal])).finally(forget);
    const atMs = clock.nowMs();
    if (outcome.type === 'answered') {
      const { reading, bodies } = readTurn(this.world, facts, outcome.text);
      this.store(bodies);
      const { ref: answer } = sealBody(this.world, outcome.text);
      return { type: 'Answered', key, atMs, answer, usage: NO_USAGE, reading };
    }
    if (outcome.type === 'asks') throw new Error('a turn of a session asks nobody');
    const { reason, retryAfterMs } = outcome;
    const failure = late.signal.aborted ? 'timeout' : outcome.failure;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { type: 'Failed', key, atMs, failure, reason, usage: NO_USAGE, ...wait };
  }

  private async perform(effect: Perform): Promise<EffectResult> {
    const { deeds, held, signal, clock } = this.world;
    const deed = (this.state as LiveSession).task?.calls.get(effect.key)?.deed;
    if (deed) this.log.begins(deed);
    const { result, bodies = [] } = await deeds.perform(held, effect, signal);
    this.store(bodies);
    return { type: 'Performed', key: effect.key, atMs: clock.nowMs(), result };
  }

  private decide(command: SessionCommand): void {
    const decision = sessionDecider.decide(this.state, command);
    if ('refusal' in decision) throw new Error(decision.refusal.reason);
    for (const event of decision.events) {
      this.state = sessionDecider.evolve(this.state, event);
      this.log.take(event);
      this.end ??= this.endIn(event);
    }
  }

  private endIn(event: SessionEvent): SoloEnd | undefined {
    if (event.type === 'TaskFailed') return { type: 'failed', code: event.code, message: event.message };
    if (event.type !== 'TaskEnded') return undefined;
    const { message } = event.message ? (JSON.parse(this.text(event.message)) as { message: string }) : { message: '' };
    return { type: 'complete', message };
  }

  private keep({ ref, body }: ReturnType<typeof sealBody>): BodyRef {
    this.store([body]);
    return ref;
  }

  private store(bodies: readonly SealedBody[]): void {
    for (const { sha256, bytes } of bodies) this.world.bodies.set(sha256, bytes);
  }

  private text({ sha256 }: BodyRef): string {
    return new TextDecoder().decode(this.world.bodies.get(sha256));
  }
}

/** Until a time of the wall clock, or until it is called off. */
function until({ clock, signal }: Pick<SoloWorld, 'clock' | 'signal'>, atMs: number): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      forget();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const forget = clock.after(Math.max(0, atMs - clock.nowMs()), over);
    signal.addEventListener('abort', over);
    if (signal.aborted) over();
  });
}

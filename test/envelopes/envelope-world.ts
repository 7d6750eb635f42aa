import { readEnvelope } from '../../src/contracts/envelope/read-envelope.js';
import type { Envelope } from '../../src/contracts/generated/types/envelope.js';
import type { Pipeline } from '../../src/contracts/generated/types/pipeline.js';
import type { ProcessingRecord } from '../../src/contracts/generated/types/processing-record.js';
import { envelopeDecider } from '../../src/core/envelope/envelope-decider.js';
import type { ReadFacts, StageFacts, ToolsFacts } from '../../src/core/envelope/envelope-effects.js';
import type { EnvelopeCommand, EnvelopeEvent, EnvelopeOrder, Pace } from '../../src/core/envelope/envelope-messages.js';
import type { EnvelopeRun, LiveEnvelope } from '../../src/core/envelope/envelope-state.js';
import { receiveChanged, receiveFirst, withAnswer } from '../../src/core/envelope/receive-envelope.js';
import type { StageEnd } from '../../src/core/envelope/stage-end.js';
import { type Ask, type Effect, type EffectResult, NO_USAGE, type Perform } from '../../src/core/kernel/effect.js';
import { DocumentMover } from '../../src/engine/envelope/document-mover.js';
import { createEnvelopeDeeds } from '../../src/engine/envelope/envelope-deeds.js';
import { readStage } from '../../src/engine/envelope/read-stage.js';
import type { Held, Ports, SealedBody } from '../../src/engine/ports.js';
import type { StageDeed } from './arbitrary-pipeline.js';
import { allowed, sha256 } from './stage-kit.js';

/** What happens, whoever is faster: the deed of a stage in its so-manieth run, the answer to a question. */
export type Script = {
  deed(stage: string, run: number): StageDeed;
  answer(question: number): 'yes' | 'no' | 'expire';
};
/** Who is faster, and what goes wrong on the way; numbers in [0, 1). */
export type Chance = () => number;

const STEPS_MAX = 2_000;

/** One envelope, its decider and the real readings and deeds; the world around answers what is owed in any order. */
export class EnvelopeWorld {
  run: EnvelopeRun = envelopeDecider.initialState();
  readonly events: EnvelopeEvent[] = [];
  answers = 0;
  private nowMs = 1_000_000;
  private readonly bodies = new Map<string, Uint8Array>();
  private readonly mover: DocumentMover;
  private readonly past: EffectResult[] = [];
  private readonly noise = new Map<string, number>();
  private readonly pipeline: Pipeline;
  private readonly script: Script;
  private readonly chance: Chance;
  private readonly pace: () => Pace;

  constructor(pipeline: Pipeline, script: Script, chance: Chance, { steps }: { steps: boolean }) {
    this.pace = () => (steps && chance() < 0.5 ? 'step' : 'process');
    this.pipeline = pipeline;
    this.script = script;
    this.chance = chance;
    const scrub = ((text: string) => text) as unknown as Ports['scrub'];
    this.mover = new DocumentMover({ scrub, hasher: { sha256 }, body: async (hash) => this.bodies.get(hash) });
  }

  get live(): LiveEnvelope {
    if (this.run.status === 'new') throw new Error('nothing was received yet');
    return this.run;
  }

  envelope(): Promise<Envelope> {
    return this.mover.envelope(this.live.now.document);
  }

  /** Every document there was, the newest last. */
  async versions(): Promise<Envelope[]> {
    return Promise.all(this.live.versions.map(({ document }) => this.mover.envelope(document)));
  }

  async receive(envelope: Envelope): Promise<void> {
    const kept = this.mover.sealJson(this.pipeline);
    this.keep([kept.body]);
    const order: EnvelopeOrder = {
      ...{ pipeline: { name: 'random', document: kept.ref }, agent: 'default', repository: null, project: 'p' },
      ...{ env: [], network: [], limits: {} },
    };
    const known = this.run.status === 'new' ? null : await this.envelope();
    const applied = allowed(
      known
        ? receiveChanged({ envelope: known, progress: this.live.now.progress }, envelope, this.pipeline, this.nowMs)
        : receiveFirst(envelope, this.pipeline, this.nowMs),
    );
    const sent = this.mover.sealDocument(envelope);
    const { moved, bodies } = this.mover.seal(applied, this.pipeline);
    this.keep([sent.body, ...bodies]);
    const on = known ? this.live.now.hash : null;
    const document = { document: sent.ref, hash: sent.hash };
    const pace = this.pace();
    this.give({ type: 'Receive', atMs: this.nowMs, order, sent: document, moved, on, pace });
  }

  /** Until it has ended: questions are answered, and whoever made one step makes the next. */
  async untilEnded(): Promise<Envelope> {
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const owed = [...envelopeDecider.outstanding(this.run)];
      const { asked, now, wave } = this.live;
      if (asked && !asked.isExpired && this.script.answer(asked.number) !== 'expire') await this.answer();
      else if (owed.length > 0) await this.settle(owed);
      else if (now.standing.ended) return this.envelope();
      else if (wave === null) {
        this.give({ type: 'Go', atMs: this.nowMs, more: {}, pace: this.pace(), on: now.hash });
      } else throw new Error('it works, and nothing is owed');
    }
    throw new Error('it does not come to rest');
  }

  give(command: EnvelopeCommand): void {
    const before = JSON.stringify(this.run);
    const decision = envelopeDecider.decide(this.run, command);
    if (JSON.stringify(this.run) !== before) throw new Error('deciding has changed the state');
    if ('refusal' in decision) throw new Error(`${command.type}: ${decision.refusal.reason}`);
    for (const event of decision.events) {
      this.events.push(event);
      this.run = envelopeDecider.evolve(this.run, event);
    }
  }

  private async answer(): Promise<void> {
    const { asked } = this.live;
    const yes = this.script.answer(asked?.number ?? 0) === 'yes';
    const envelope = await this.envelope();
    const said = asked?.kind === 'confirmation' ? withAnswer(envelope, { yes }) : withAnswer(envelope, { text: 'so' });
    await this.receive(readEnvelope(said));
  }

  /** One of the effects that are owed ends; sometimes something is said again that is over. */
  private async settle(owed: readonly Effect[]): Promise<void> {
    const effect = owed[Math.floor(this.chance() * owed.length)] as Effect;
    this.nowMs += 1 + Math.floor(this.chance() * 1_000);
    const result = await this.resultOf(effect);
    this.give(result);
    this.past.push(result);
    const keys = new Set([...envelopeDecider.outstanding(this.run)].map(({ key }) => key));
    const late = this.past.filter(({ key }) => !keys.has(key));
    const again = late[Math.floor(this.chance() * late.length * 4)];
    if (!again) return;
    const count = this.events.length;
    this.give(again);
    if (this.events.length !== count) throw new Error(`${again.type} ${again.key} was over and still led to something`);
  }

  private async resultOf(effect: Effect): Promise<EffectResult> {
    const { key } = effect;
    const atMs = this.nowMs;
    switch (effect.type) {
      case 'Admit': {
        const untilMs = atMs + 1_000;
        return this.goesWrong(key, 1)
          ? { type: 'Parked', atMs, key, reason: 'budget', untilMs }
          : { type: 'Admitted', atMs, key };
      }
      case 'Afford':
        return { type: 'Afforded', atMs, key };
      case 'Notify':
        return { type: 'Notified', atMs, key };
      case 'Wake':
        this.nowMs = Math.max(this.nowMs, effect.atMs);
        return { type: 'Woke', atMs: this.nowMs, key };
      case 'Ask':
        return this.asked(effect);
      case 'Perform':
        return this.performed(effect);
      default:
        throw new Error(`nobody expects ${effect.type}`);
    }
  }

  private async asked(ask: Ask): Promise<EffectResult> {
    const { key } = ask;
    const atMs = this.nowMs;
    if (this.goesWrong(`lost ${key}`, 3)) return { type: 'Lost', atMs, key, usage: NO_USAGE };
    if (this.goesWrong(`down ${key}`, 2)) {
      return { type: 'Failed', atMs, key, failure: 'network', reason: 'gone', usage: NO_USAGE };
    }
    const { stage, document, repair } = (ask.request as { from: object }).from as StageFacts;
    const deed = this.script.deed(stage, await this.runsOf(stage, document));
    if (deed.does === 'fails') {
      const failure = deed.recoverable ? 'timeout' : 'auth';
      return { type: 'Failed', atMs, key, failure, reason: 'no', usage: NO_USAGE };
    }
    this.answers += 1;
    const isBad = deed.does !== 'answers' || (deed.firstIsBad && repair === null);
    const text = isBad ? 'I would rather talk.' : JSON.stringify(deed.output);
    const from = ask.reading?.from as ReadFacts;
    const { reading, bodies } = await readStage({ mover: this.mover, missingIn: async () => [] }, from, { text, atMs });
    const answer = this.mover.sealJson({ text });
    this.keep([...bodies, answer.body]);
    return { type: 'Answered', atMs, key, answer: answer.ref, usage: NO_USAGE, reading };
  }

  private async performed(perform: Perform): Promise<EffectResult> {
    const { key } = perform;
    const atMs = this.nowMs;
    if (perform.deed !== 'envelope.tools') {
      const clock = { nowMs: () => atMs } as Ports['clock'];
      const done = await createEnvelopeDeeds(this.mover, clock).perform(
        { run: 'env' } as Held,
        perform,
        new AbortController().signal,
      );
      this.keep(done.bodies ?? []);
      return { type: 'Performed', atMs, key, result: done.result };
    }
    if (this.goesWrong(`lost ${key}`, 1)) return { type: 'Lost', atMs, key, usage: NO_USAGE };
    const facts = perform.input as ToolsFacts;
    const end = await this.toolsEnd(facts);
    const made = facts.alone ? await this.mover.move(facts, [end]) : null;
    this.keep(made?.bodies ?? []);
    return { type: 'Performed', atMs, key, result: { end, moved: made?.moved ?? null } };
  }

  private async toolsEnd({ stage, startedMs, document, progress }: ToolsFacts): Promise<StageEnd> {
    const times = { stage, startedMs, endedMs: this.nowMs, llmCalls: 0 };
    const deed = this.script.deed(stage, await this.runsOf(stage, document));
    if (deed.does === 'asks' && progress.confirmed !== `steps of ${stage}`) {
      return { ...times, type: 'confirm', message: 'May it?', steps: `steps of ${stage}` };
    }
    if (deed.does === 'fails') {
      const error = { error_type: 'ToolError', message: 'no', recoverable: deed.recoverable };
      return { ...times, type: 'error', error };
    }
    const said = this.mover.sealJson(deed.does === 'answers' ? deed.output : { verdict: 'approved' });
    this.keep([said.body]);
    const errors = deed.does === 'breaks' ? deed.errors : [];
    return { ...times, type: 'output', output: said.ref, errors, ends: null };
  }

  private async runsOf(stage: string, document: StageFacts['document']): Promise<number> {
    const { processing_history = [] } = await this.mover.envelope(document);
    return (processing_history as ProcessingRecord[]).filter(({ agent }) => agent === stage).length;
  }

  /** Not more often than `max` in all, so that it does not change what comes of it. */
  private goesWrong(what: string, max: number): boolean {
    const times = this.noise.get(what) ?? 0;
    if (times >= max || this.chance() > 0.2) return false;
    this.noise.set(what, times + 1);
    return true;
  }

  private keep(bodies: readonly SealedBody[]): void {
    for (const { sha256: hash, bytes } of bodies) this.bodies.set(hash, bytes);
  }
}

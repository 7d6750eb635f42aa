import { toStateDict } from '../../contracts/envelope/state-dict.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { canonicalJson } from '../../contracts/shared/canonical-json.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { Denial } from '../../contracts/shared/verdict.js';
import { type Applied, applyStages } from '../../core/envelope/apply-stages.js';
import type { MoveFacts } from '../../core/envelope/envelope-effects.js';
import { fittingEnd } from '../../core/envelope/fitting-end.js';
import type { Output } from '../../core/envelope/route-stage.js';
import type { StageEnd } from '../../core/envelope/stage-end.js';
import { type Moved, standingOf } from '../../core/envelope/standing.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import type { EventStore, Ports, SealedBody } from '../ports.js';
import { sealBody } from '../seal.js';

type Sources = Pick<Ports, 'scrub' | 'hasher'> & { body: EventStore['body'] };
export type Made = { moved: Moved; bodies: readonly SealedBody[] };

const PIPELINES_KEPT = 100;

/** Makes the next version of an envelope out of the last one and what its stages have come to. */
export class DocumentMover {
  private readonly sources: Sources;
  private readonly pipelines = new Map<string, Pipeline>();

  constructor(sources: Sources) {
    this.sources = sources;
  }

  envelope(document: BodyRef): Promise<Envelope> {
    return this.object(document) as Promise<Envelope>;
  }

  /** They are few and never change, so they are not read again for every stage. */
  async pipeline(document: BodyRef): Promise<Pipeline> {
    const known = this.pipelines.get(document.sha256);
    if (known) return known;
    const pipeline = (await this.object(document)) as Pipeline;
    if (this.pipelines.size >= PIPELINES_KEPT) this.pipelines.clear();
    this.pipelines.set(document.sha256, pipeline);
    return pipeline;
  }

  /** `outputs` of those stages whose output is at hand anyway. */
  async move(
    facts: MoveFacts,
    ends: readonly StageEnd[],
    outputs: ReadonlyMap<string, Output> = new Map(),
  ): Promise<Made> {
    const [envelope, pipeline] = await Promise.all([this.envelope(facts.document), this.pipeline(facts.pipeline)]);
    const whole = await Promise.all(ends.map((end) => this.withOutput(fittingEnd(end), outputs)));
    const before = { envelope, progress: facts.progress };
    const after = (some: readonly StageEnd<Output>[]): Made =>
      this.seal(applyStages(before, pipeline, some, this.nameOf), pipeline);
    const made = after(whole);
    if (unreadable(made) === null) return made;
    // Whoever cannot be taken alone is left out; when each could be, all of them.
    const alone = after(whole.map((end) => leftOut(end, unreadable(after([end])))));
    const together = unreadable(alone);
    return together === null ? alone : after(whole.map((end) => leftOut(end, together)));
  }

  seal({ envelope, progress }: Applied, pipeline: Pipeline): Made {
    const { ref, hash, body, envelope: kept } = this.sealDocument(toStateDict(envelope));
    const standing = standingOf(kept, progress, pipeline);
    return { moved: { document: ref, hash, standing, progress }, bodies: [body] };
  }

  /** What is stored is what is addressed and compared: without secrets, and whether a default was written or not. */
  sealDocument(envelope: Envelope): { ref: BodyRef; hash: string; body: SealedBody; envelope: Envelope } {
    const text = JSON.stringify(envelope);
    const { ref, body } = sealBody(this.sources, text);
    const stored = new TextDecoder().decode(body.bytes);
    const kept = stored === text ? envelope : (JSON.parse(stored) as Envelope);
    return { ref, hash: this.sources.hasher.sha256(canonicalJson(toStateDict(kept))), body, envelope: kept };
  }

  sealJson(value: object): { ref: BodyRef; body: SealedBody } {
    return sealBody(this.sources, JSON.stringify(value));
  }

  readonly nameOf = (about: string): string => `conf_${this.sources.hasher.sha256(about).slice(0, NAME_LENGTH)}`;

  private async withOutput(end: StageEnd, outputs: ReadonlyMap<string, Output>): Promise<StageEnd<Output>> {
    if (end.type !== 'output') return end;
    return { ...end, output: outputs.get(end.stage) ?? ((await this.object(end.output)) as Output) };
  }

  private async object({ sha256 }: BodyRef): Promise<object> {
    const bytes = await this.sources.body(sha256);
    if (!bytes) throw new Error(`the text ${sha256} is not in the store`);
    return JSON.parse(new TextDecoder().decode(bytes)) as object;
  }
}

const NAME_LENGTH = 16;

/** What cannot be sent back by anybody must not be made: it is too large, too deep, or has names that nobody reads. */
function unreadable({ bodies }: Made): Denial | null {
  const [document] = bodies;
  const read = document && readJson(document.bytes);
  return read && 'denial' in read ? read.denial : null;
}

function leftOut(end: StageEnd<Output>, why: Denial | null): StageEnd<Output> {
  if (end.type !== 'output' || why === null) return end;
  const { stage, startedMs, endedMs, llmCalls } = end;
  const error_type = why.code === 'PAYLOAD_TOO_LARGE' ? 'OutputTooLarge' : 'OutputUnreadable';
  const message = `with the output of ${stage} nobody could read the envelope: ${why.reason}`;
  return { type: 'error', stage, startedMs, endedMs, llmCalls, error: { error_type, message, recoverable: false } };
}

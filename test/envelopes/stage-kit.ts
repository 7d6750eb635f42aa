import { createHash } from 'node:crypto';
import { BUILT_IN } from '../../src/contracts/envelope/built-in-pipelines.js';
import { pipeline as pipelineContract } from '../../src/contracts/envelope/pipeline.js';
import { readEnvelope } from '../../src/contracts/envelope/read-envelope.js';
import type { Envelope } from '../../src/contracts/generated/types/envelope.js';
import type { Pipeline } from '../../src/contracts/generated/types/pipeline.js';
import { parseContract } from '../../src/contracts/shared/contract.js';
import type { Denial } from '../../src/contracts/shared/verdict.js';
import { type Applied, applyStages } from '../../src/core/envelope/apply-stages.js';
import { receiveChanged, receiveFirst } from '../../src/core/envelope/receive-envelope.js';
import type { Output } from '../../src/core/envelope/route-stage.js';
import type { StageEnd, StageError } from '../../src/core/envelope/stage-end.js';

export const DEFAULT = BUILT_IN.get('default') as Pipeline;
export const REVIEW = BUILT_IN.get('review') as Pipeline;

export function pipelineOf(stages: readonly object[], more: object = {}): Pipeline {
  return parseContract(pipelineContract, { name: 'made', ...more, stages });
}

/** A stage that leads to the end, writing under its own name. */
export function stageOf(name: string, more: object = {}): object {
  return { name, output_key: name, default_next: 'end', ...more };
}

export function envelopeOf(changes: object = {}): Envelope {
  return readEnvelope({
    ...{ envelope_id: 'env_0123456789abcdef', request_id: 'req_0123456789abcdef', session_id: 'sess_0123456789abcdef' },
    ...{ raw_input: 'Where is the login?', outputs: {}, current_stage: 'start', terminated: false },
    ...changes,
  });
}

/** What the stages of the default pipeline say when all goes well. */
export const GOOD: Readonly<Record<string, Output>> = {
  perception: { normalized_input: 'where is the login' },
  intent: { intent: 'trace_flow', goals: ['find it', 'explain it'] },
  plan: { plan_id: 'plan_1', steps: [{ tool: 'code_search', params: { query: 'login' } }] },
  execution: { status: 'success', results: [] },
  critic: { verdict: 'approved' },
  integration: { final_response: 'It is here.' },
};

type Ended = StageEnd<Output>;
const FIRST_MS = Date.UTC(2026, 0, 1);

/** One envelope, moved by what its stages say; the whole of contract 002 without engine, agents and disk. */
export class Played {
  at: Applied;
  readonly pipeline: Pipeline;
  readonly versions: Envelope[] = [];
  clockMs = FIRST_MS;

  constructor(pipeline: Pipeline = DEFAULT, envelope: Envelope = envelopeOf()) {
    this.pipeline = pipeline;
    this.at = allowed(receiveFirst(envelope, pipeline, this.clockMs));
    this.versions.push(this.at.envelope);
  }

  get envelope(): Envelope {
    return this.at.envelope;
  }

  /** Empty while it waits, and when it has ended. */
  get due(): readonly string[] {
    const { terminated, clarification_pending, confirmation_pending } = this.envelope;
    return terminated || clarification_pending || confirmation_pending ? [] : this.at.progress.due;
  }

  /** The stages that are due say this, all of them at once; `said` by stage. */
  say(said: Readonly<Record<string, Output>>, llmCalls = 1): this {
    return this.end(...Object.entries(said).map(([stage, output]) => this.output(stage, output, { llmCalls })));
  }

  /** One stage after the other. */
  through(...said: (readonly [string, Output])[]): this {
    for (const [stage, output] of said) this.say({ [stage]: output });
    return this;
  }

  /** The stages of the default pipeline, as when all goes well. */
  well(...stages: string[]): this {
    return this.through(...stages.map((stage) => [stage, GOOD[stage] ?? {}] as const));
  }

  end(...ends: Ended[]): this {
    const strange = ends.filter(({ stage }) => !this.due.includes(stage)).map(({ stage }) => stage);
    if (strange.length > 0) throw new Error(`${strange} is not due: ${this.due}`);
    this.at = applyStages(this.at, this.pipeline, ends, (about) => `conf_${sha256(about).slice(0, 16)}`);
    this.versions.push(this.at.envelope);
    return this;
  }

  /** As it comes back, changed by its sender. */
  send(changes: object): Denial | null {
    const sent = readEnvelope({ ...this.envelope, ...changes });
    const received = receiveChanged(this.at, sent, this.pipeline, this.clockMs);
    if ('allow' in received) return received;
    this.at = received;
    this.versions.push(received.envelope);
    return null;
  }

  output(stage: string, output: Output, more: object = {}): Ended {
    return { ...this.times(stage, 1), type: 'output', output, errors: [], ends: null, ...more } as Ended;
  }

  error(stage: string, error: Partial<StageError> = {}): Ended {
    const whole = { error_type: 'AgentError', message: 'it broke', recoverable: false, ...error };
    return { ...this.times(stage, 0), type: 'error', error: whole };
  }

  confirm(stage: string, steps = 'hash of the steps', message = 'May these run?'): Ended {
    return { ...this.times(stage, 0), type: 'confirm', message, steps };
  }

  private times(stage: string, llmCalls: number) {
    this.clockMs += 1_000;
    return { stage, startedMs: this.clockMs - 1_000, endedMs: this.clockMs, llmCalls };
  }
}

export function allowed(received: Applied | Denial): Applied {
  if ('allow' in received) throw new Error(`${received.code}: ${received.reason}`);
  return received;
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

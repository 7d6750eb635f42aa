import { createHash } from 'node:crypto';
import type { JobEvent } from '../../core/job/job-messages.js';
import { projectIn } from '../../core/job/job-order.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/kernel/effect.js';
import { byModel } from '../../core/kernel/model-usage.js';

/** A span that is over. Its ids follow from what it is about, so that whoever tells of it again tells of the same one. */
export type EndedSpan = {
  traceId: string;
  spanId: string;
  /** Null is the root of its trace. */
  parentId: string | null;
  name: string;
  kind: 'internal' | 'client';
  startMs: number;
  endMs: number;
  /** What went wrong, by its kind. */
  error: string | null;
  attributes: Readonly<Record<string, string | number>>;
};

const MICRO = 1_000_000;
/** By the beginning of a model's name, as the conventions call them. */
const PROVIDERS: readonly [RegExp, string][] = [
  [/^claude/i, 'anthropic'],
  [/^(gpt|o\d|codex|chatgpt)/i, 'openai'],
  [/^gemini/i, 'gcp.gemini'],
  [/^(mistral|codestral|devstral)/i, 'mistral_ai'],
  [/^deepseek/i, 'deepseek'],
  [/^grok/i, 'x_ai'],
];

type Call = { handoff: string; attempt: number; agent: string; phase: string; askedMs: number; usage: Usage };

/** Makes spans out of the events of one job: the job, its handoffs, and each time an agent was asked. */
export class JobSpans {
  private readonly run: string;
  private project = '';
  private startMs = Number.NaN;
  private handoff: { key: string; phase: string; sinceMs: number; attempts: number } | undefined;
  private call: Call | undefined;
  private handoffs = 0;
  private total = NO_USAGE;

  constructor(run: string) {
    this.run = run;
  }

  add(event: JobEvent): EndedSpan[] {
    switch (event.type) {
      case 'JobSubmitted':
        this.startMs = event.atMs;
        this.project = projectIn(event.order);
        return [];
      case 'HandoffAsked':
        return this.asked(event);
      case 'HandoffAnswered':
        this.used(event.usage);
        return [];
      case 'HandoffCollected':
        if (this.call && isNothing(this.call.usage) && event.reading.reported) this.used(event.reading.reported);
        return [];
      case 'HandoffEnded': {
        this.used(event.usage);
        const error = event.response === 'SUCCESS' ? null : (event.cause ?? event.response);
        const spans = this.callEnded(event.atMs, error, event.action);
        if (event.next.to !== 'again') spans.push(...this.handoffEnded(event.atMs, error, event.action));
        return event.next.to === 'success' ? [...spans, this.ended(event.atMs, null, 'SUCCESS')] : spans;
      }
      case 'JobApproved':
        return event.next.to === 'success' ? [this.ended(event.atMs, null, 'SUCCESS')] : [];
      case 'JobCanceled': {
        if (event.used) this.used(event.used);
        const spans = [
          ...this.callEnded(event.atMs, 'canceled', 'CANCELED'),
          ...this.handoffEnded(event.atMs, 'canceled', 'CANCELED'),
        ];
        return [...spans, this.ended(event.atMs, 'canceled', 'CANCELED')];
      }
      default:
        return [];
    }
  }

  private asked({ handoff, attempt, agent, phase, atMs }: Extract<JobEvent, { type: 'HandoffAsked' }>): EndedSpan[] {
    this.call = { handoff, attempt, agent, phase, askedMs: atMs, usage: NO_USAGE };
    if (this.handoff?.key === handoff) {
      this.handoff.attempts = attempt;
      return [];
    }
    // One that was left for another phase has no end of its own.
    const left = this.handoffEnded(atMs, null, 'LEFT');
    this.handoff = { key: handoff, phase, sinceMs: atMs, attempts: attempt };
    this.handoffs += 1;
    return left;
  }

  private used(usage: Usage): void {
    this.total = addUsage(this.total, usage);
    if (this.call) this.call.usage = addUsage(this.call.usage, usage);
  }

  private callEnded(endMs: number, error: string | null, action: string): EndedSpan[] {
    const { call } = this;
    this.call = undefined;
    if (!call) return [];
    const { handoff, attempt, agent, phase, askedMs, usage } = call;
    return [
      {
        ...this.ids(`${handoff}.${attempt}`, handoff),
        ...{ name: `invoke_agent ${agent}`, kind: 'client', startMs: askedMs, endMs, error },
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': agent,
          'gen_ai.conversation.id': this.run,
          ...modelAttributes(usage),
          ...this.about(),
          ...{ 'baton.handoff': handoff, 'baton.attempt': attempt, 'baton.phase': phase, 'baton.action': action },
        },
      },
    ];
  }

  private handoffEnded(endMs: number, error: string | null, action: string): EndedSpan[] {
    const { handoff } = this;
    this.handoff = undefined;
    if (!handoff) return [];
    const { key, phase, sinceMs, attempts } = handoff;
    return [
      {
        ...this.ids(key, ''),
        ...{ name: `handoff ${phase}`, kind: 'internal', startMs: sinceMs, endMs, error },
        attributes: {
          ...this.about(),
          ...{ 'baton.handoff': key, 'baton.attempts': attempts, 'baton.phase': phase, 'baton.action': action },
        },
      },
    ];
  }

  private ended(endMs: number, error: string | null, status: string): EndedSpan {
    const { handoffs, total } = this;
    return {
      ...this.ids('', null),
      ...{ name: 'job', kind: 'internal', startMs: this.startMs, endMs, error },
      attributes: {
        ...this.about(),
        ...{ 'baton.status': status, 'baton.handoffs': handoffs, 'baton.cost_usd': total.costMicroUsd / MICRO },
      },
    };
  }

  private about(): Record<string, string> {
    return { 'baton.run.id': this.run, 'baton.project': this.project };
  }

  private ids(part: string, parent: string | null): Pick<EndedSpan, 'traceId' | 'spanId' | 'parentId'> {
    const spanId = (name: string): string => hashOf(`${this.run}\n${name}`).slice(0, 16);
    return {
      traceId: hashOf(this.run).slice(0, 32),
      spanId: spanId(part),
      parentId: parent === null ? null : spanId(parent),
    };
  }
}

/** The model that did most of it; none where nobody has said. */
function modelAttributes(usage: Usage): Record<string, string | number> {
  const [most] = [...byModel(usage)].sort((one, other) => other.outputTokens - one.outputTokens);
  const model = most && most.model !== 'unknown' ? most.model : undefined;
  const provider = PROVIDERS.find(([begins]) => begins.test(model ?? ''))?.[1] ?? 'unknown';
  return {
    // The second is what the first was called before; many still look for it.
    ...{ 'gen_ai.provider.name': provider, 'gen_ai.system': provider },
    ...(model !== undefined && { 'gen_ai.request.model': model, 'gen_ai.response.model': model }),
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'baton.cost_usd': usage.costMicroUsd / MICRO,
  };
}

function isNothing({ inputTokens, outputTokens, costMicroUsd }: Usage): boolean {
  return inputTokens + outputTokens + costMicroUsd === 0;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Lives of jobs by chance: each number picks one of the things that could happen next. */
import fc from 'fast-check';
import type { Reading } from '../../src/core/job/job-deeds.js';
import { builtInPhases, type JobOrder, type Phase } from '../../src/core/job/job-order.js';
import type { Action } from '../../src/core/job/job-status.js';
import { JobStory, order, reading } from '../../src/core/job/job-story.js';
import type { Limits } from '../../src/core/kernel/budget.js';
import { type BodyRef, type FailureKind, NO_USAGE, type Usage } from '../../src/core/kernel/effect.js';
import { nodeHasher } from '../simulation/node-hasher.js';

type Command = Parameters<JobStory['tell']>[0];
type Move = (story: JobStory) => unknown;

const COMMIT = 'c0ffee0';
const FAILURES: readonly FailureKind[] = [
  ...(['network', 'limit', 'login', 'auth', 'not-found', 'disk-full', 'timeout', 'crash', 'refused'] as const),
];

/** Long enough for a job to be sent back, halted, raised and run again. */
export const PICKS = fc.array(fc.nat(9_999), { minLength: 5, maxLength: 300, size: 'max' });

/** Long lives shrink slowly: a failure is told before the test's own time is up. */
export const runs = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: 30_000 });

export class RandomLife {
  readonly bodies = new Map<string, Uint8Array>();
  readonly story: JobStory;
  private picks: readonly number[];
  private at = 0;

  constructor(picks: readonly number[]) {
    this.picks = picks;
    this.story = this.draw(8) === 0 ? JobStory.draft(this.order()) : JobStory.active(this.order());
    while (this.at < this.picks.length) this.step();
  }

  readonly body = async (sha256: string): Promise<Uint8Array | undefined> => this.bodies.get(sha256);

  private draw(below: number): number {
    const pick = this.picks[this.at] ?? 0;
    this.at += 1;
    return pick % below;
  }

  private oneOf<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.draw(values.length)] as Value;
  }

  private keep(text: string): BodyRef {
    const bytes = new TextEncoder().encode(text);
    const sha256 = nodeHasher.sha256(bytes);
    this.bodies.set(sha256, bytes);
    return { sha256, bytes: bytes.length };
  }

  private order(): Partial<JobOrder> {
    const release: Phase = { ...(order().phases[0] as Phase), name: 'release', onRetry: 'supervisor-review' };
    const both = builtInPhases('worker', 'supervisor');
    return {
      prompt: this.keep('Do it.'),
      phases: this.oneOf([both, builtInPhases('worker', null), [...both, release]]),
      limits: this.limits(),
      approval: this.draw(3) === 0,
      verify: this.oneOf(['strict', 'warn']),
      checks: this.oneOf<string[][]>([[], [], [['npm', 'test']]]),
      protect: this.oneOf<string[]>([[], [], ['test/**']]),
      fallback: this.oneOf([null, 'other']),
    };
  }

  private limits(): Limits {
    const few: Limits = { costMicroUsd: 30, activeMs: 40_000, tokens: 40, asks: 6 };
    return this.oneOf<Limits>([{}, {}, few, { asks: 3 }, { activeMs: 9_000 }, { costMicroUsd: 15 }]);
  }

  private usage(): Usage {
    if (this.draw(2) === 0) return NO_USAGE;
    return { inputTokens: this.draw(9), outputTokens: this.draw(9), costMicroUsd: this.draw(9) };
  }

  /** What is not allowed where it stands does not happen. */
  private tell(command: Command): void {
    if (this.story.refusal(command) === undefined) this.story.tell(command);
  }

  private step(): void {
    this.story.after(this.draw(7) * 1_000);
    const person = this.draw(6) === 0;
    const moves = person ? this.byPeople() : this.byTheWorld();
    this.oneOf(moves)(this.story);
  }

  private byPeople(): readonly [Move, ...Move[]] {
    const { order, points } = this.story.live;
    const phase = this.oneOf([null, ...order.phases.map(({ name }) => name)]);
    const guidance = this.draw(2) === 0 ? null : this.keep('Try harder.');
    const role = order.phases.find(({ name }) => name === this.story.phase)?.role ?? 'Worker';
    const answer = this.keep(answerText('COMPLETED', []));
    const command = (given: Command) => () => this.tell(given);
    const many = this.draw(3) * 1_000_000;
    return [
      command({ type: 'PostStep', handoff: null, role, answer }),
      command({ type: 'Resubmit', guidance, phase }),
      command({ type: 'Approve' }),
      command({ type: 'Reject', guidance, phase }),
      command({ type: 'Raise', limits: { costMicroUsd: many, activeMs: many, tokens: many, asks: many } }),
      command({ type: 'Raise', limits: { costMicroUsd: this.draw(100) } }),
      command({ type: 'Checkpoint', description: 'now' }),
      command({ type: 'Rollback', point: points.at(-1 - this.draw(2))?.id ?? 'p1', files: [] }),
      command({ type: 'Restep', phase: phase ?? this.story.phase }),
      command({ type: 'Rerun' }),
      command({ type: 'Advise', advice: this.keep('Mind the tabs.'), now: this.draw(2) === 0 }),
      ...(this.draw(8) === 0 ? [command({ type: 'Cancel' })] : []),
    ];
  }

  private byTheWorld(): readonly [Move, ...Move[]] {
    const { stage, status } = this.story.live;
    switch (stage.name) {
      case 'draft':
        return [() => this.tell({ type: 'Activate' })];
      case 'preparing':
        return [() => this.prepare(true), () => this.prepare(true), () => this.prepare(this.draw(2) === 0)];
      case 'queued':
        return [(story) => story.admitted()];
      case 'pausing':
        return [(story) => story.woke()];
      case 'asking':
        return [
          () => this.answered(),
          () => this.answered(),
          () => this.answered(),
          () => this.failed(),
          () => this.lost(),
          () => this.asksLeave(),
        ];
      case 'approving':
        return [() => this.decided(stage.question), () => this.decided(stage.question - this.draw(2))];
      case 'collecting':
        return this.story.live.workspace ? [() => this.collected()] : [() => this.prepare(this.draw(3) > 0)];
      case 'checking':
        return [(story) => story.checked([0]), (story) => story.checked([1]), (story) => story.checked([], ['test/a'])];
      case 'restoring':
        return [() => this.restored()];
      case 'resting':
        return [
          () =>
            this.tell({ type: status === 'INTERVENTION_REQUIRED' ? 'Resubmit' : 'Rerun', guidance: null, phase: null }),
          () => this.tell({ type: 'Raise', limits: { costMicroUsd: 0, activeMs: 0, tokens: 0, asks: 0 } }),
          () => this.tell({ type: 'Approve' }),
        ];
      default:
        return [() => undefined];
    }
  }

  private prepare(works: boolean): void {
    const workspace = { folder: '/work', branch: 'baton/x', base: 'ba5eba5e', setupMs: this.draw(3) * 700, leftOut: 0 };
    const result = works ? workspace : { problem: 'no git', output: null };
    this.story.result({ type: 'Performed', key: 'workspace', result });
  }

  private restored(): void {
    const key = this.story.owes()[0]?.split(' ')[1] ?? '';
    const problem = this.draw(3) === 0 ? 'gone' : null;
    this.story.result({ type: 'Performed', key, result: { restored: 1, problem } });
  }

  private answered(): void {
    const request = this.keep(JSON.stringify({ job_id: 'x', context_files: ['a.md'], n: this.at }));
    const kind = this.draw(12);
    const action = this.oneOf<Action>(['COMPLETED', 'COMPLETED', 'COMPLETED', 'RETRY', 'STUCK']);
    const text = kind === 0 ? 'no \0 object' : answerText(action, kind === 1 ? ['gone.js'] : ['a.js']);
    const answer = this.keep(kind === 2 ? `Here it is: ${text} Bye.` : text);
    this.story.result({ type: 'Answered', key: this.key(), answer, usage: this.usage(), request });
  }

  private collected(): void {
    const { stage } = this.story.live;
    const raw = stage.name === 'collecting' ? this.bodies.get(stage.answer.sha256) : undefined;
    this.story.collected(this.read(new TextDecoder().decode(raw)));
  }

  private read(text: string): Reading {
    const action = (text.match(/COMPLETED|RETRY|STUCK/)?.[0] ?? null) as Action | null;
    const reported = this.draw(3) === 0 ? this.usage() : null;
    const rest = { commit: COMMIT, reported, summary: action && this.keep('Well.'), advice: this.keep('Missing.') };
    if (!action) return reading(null, { ...rest, fault: { kind: 'schema', reason: 'no object' } });
    if (text.includes('gone.js')) {
      const fault = { kind: 'evidence', reason: 'gone.js is missing' } as const;
      return reading(action, { ...rest, fault, missing: ['gone.js'] });
    }
    // Only somebody who looks into the workspace sees a link that leads out of it.
    if (this.draw(15) === 0) return reading(null, { ...rest, fault: { kind: 'path', reason: 'a.js leads out' } });
    const evidence = [{ path: 'a.js', bytes: 1, modifiedAt: '2026-01-01T00:00:00Z', sha256: 'b'.repeat(64) }];
    return reading(action, { ...rest, evidence });
  }

  private failed(): void {
    const failure = FAILURES[this.draw(FAILURES.length)] as FailureKind;
    const request = this.keep('{"context_files":[]}');
    const wait = this.oneOf<{ retryAfterMs?: number }>([{}, { retryAfterMs: 5_000 }, { retryAfterMs: 3_600_000 }]);
    if (failure === 'timeout' && this.draw(2) === 0) this.story.after(60_000);
    this.story.result({ type: 'Failed', key: this.key(), failure, reason: 'x', usage: this.usage(), request, ...wait });
  }

  private lost(): void {
    this.story.result({ type: 'Lost', key: this.key(), usage: this.usage() });
  }

  private asksLeave(): void {
    const what = this.oneOf(['git push', 'make all']);
    const wanted = { kind: 'exec', what, cwd: '/work', why: null, hash: `hash of ${what}` } as const;
    const thread = this.draw(2) === 0 ? {} : { thread: 't1' };
    const request = this.keep('{"context_files":[]}');
    this.story.result({ type: 'Asks', key: this.key(), wanted, usage: this.usage(), request, ...thread });
  }

  private decided(question: number): void {
    const guidance = this.oneOf([null, 'not today']);
    this.tell({ type: 'Decide', question, decision: this.oneOf(['approved', 'denied']), guidance });
  }

  private key(): string {
    return this.story.handoff ?? '';
  }
}

function answerText(action: Action, evidence_files: readonly string[]): string {
  return JSON.stringify({ action, evidence_files, summary_for_supervisor: 'Well.' });
}

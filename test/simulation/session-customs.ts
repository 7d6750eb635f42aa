import type { Limits } from '../../src/core/kernel/budget.js';
import { type BodyRef, NO_USAGE } from '../../src/core/kernel/effect.js';
import type { ApprovalDecision, SessionCommand, SessionOrder } from '../../src/core/session/session-messages.js';
import type { InboxRow, RunRow } from '../../src/engine/ports.js';
import type { Seeded } from './seeded.js';
import type { Customs, Wish } from './wish.js';

const APPROVALS = ['untrusted', 'on-failure', 'on-failure', 'on-request', 'never'] as const;
const MODES = ['read-only', 'workspace-write', 'workspace-write', 'danger-full-access'] as const;
const LIMITS: readonly Limits[] = [{ costMicroUsd: 9_500 }, { tokens: 900 }, { activeMs: 20_000 }, { asks: 6 }];
const DECISIONS = ['approved', 'approved', 'approved', 'approved_for_session', 'denied', 'denied', 'abort'] as const;

export const sessionCustoms: Customs = {
  submission: (_run, _others, chance) => configure('first', orderOf(chance)),
  meddling: (chance) => chance.pick(MEDDLING)(chance),
  answer: (_row, open) => open && approve(open.key, kindOfQuestion(open), 'approved'),
  decide: (question, chance) => {
    const right = kindOfQuestion(question);
    const kind = chance.chance(0.1) ? (right === 'exec' ? 'patch' : 'exec') : right;
    return approve(question.key, kind, chance.pick(DECISIONS));
  },
};

function kindOfQuestion({ kind }: InboxRow): 'exec' | 'patch' {
  return kind === 'patch_approval' ? 'patch' : 'exec';
}

type Meddling = (chance: Seeded) => Wish;
const say: Meddling = (chance) => {
  const from = chance.chance(0.1) ? chance.pick(['session-0 turn-1.1', 'session-1 turn-1.1', 'of another']) : null;
  return input(`s${chance.next()}`, from);
};
const MEDDLING: readonly Meddling[] = [
  ...[say, say, say, say, say],
  (chance) => simple('Interrupt', `s${chance.next()}`),
  (chance) => simple('Interrupt', `s${chance.next()}`),
  (chance) => simple('Shutdown', `s${chance.next()}`),
  (chance) => configure(`s${chance.next()}`, orderOf(chance)),
  (chance) => compact(`s${chance.next()}`),
  (chance) => addHistory(`s${chance.next()}`),
  (chance) => approve(`call-${1 + chance.below(15)}`, 'exec', chance.pick(DECISIONS)),
];

function orderOf(chance: Seeded): SessionOrder {
  return order({
    ...{ agent: chance.pick(['alpha', 'beta']), approval: chance.pick(APPROVALS) },
    sandbox: { mode: chance.pick(MODES), writableRoots: [], networkAccess: false },
    limits: chance.chance(0.3) ? chance.pick(LIMITS) : {},
  });
}

function order(change: Partial<SessionOrder>): SessionOrder {
  return {
    ...{ cwd: '/w', model: 'm', agent: 'alpha', instructions: null, approval: 'untrusted', history: 'full' },
    sandbox: { mode: 'workspace-write', writableRoots: [], networkAccess: false },
    ...{
      contextWindow: 1_000,
      limits: {},
      project: 'p',
      classification: null,
      tools: null,
      parent: null,
      repository: null,
    },
    ...change,
  };
}

type Command = (atMs: number, refs: readonly BodyRef[]) => SessionCommand;

function wish(type: SessionCommand['type'], command: Command, texts: readonly string[] = []): Wish {
  return { type, texts, command };
}

function configure(sub: string, order: SessionOrder): Wish {
  return wish('Configure', (atMs) => ({ type: 'Configure', sub, atMs, order, thread: null, used: NO_USAGE }));
}

function input(sub: string, from: string | null): Wish {
  const texts = [`items of ${sub}`, `entry of ${sub}`];
  const command: Command = (atMs, [items, entry]) => {
    const said = { items: items as BodyRef, entry: entry as BodyRef, title: sub };
    return { type: 'Input', sub, atMs, ...said, from, used: NO_USAGE };
  };
  return wish('Input', command, texts);
}

function simple(type: 'Interrupt' | 'Shutdown', sub: string): Wish {
  return wish(type, (atMs) => ({ type, sub, atMs, used: NO_USAGE }));
}

function compact(sub: string): Wish {
  return wish('Compact', (atMs) => ({ type: 'Compact', sub, atMs }));
}

function addHistory(sub: string): Wish {
  return wish('AddHistory', (atMs, [entry]) => ({ type: 'AddHistory', sub, atMs, entry: entry as BodyRef }), [sub]);
}

function approve(callId: string, kind: 'exec' | 'patch', decision: ApprovalDecision): Wish {
  const said = { kind, callId, decision, by: 'client', guidance: null, used: NO_USAGE };
  return wish('Approve', (atMs) => ({ type: 'Approve', sub: `about ${callId}`, atMs, ...said }));
}

/** When the world has become calm: nothing limits a session any more, and one more input must be answered. */
export class SessionCalm {
  private readonly ordered = new Set<string>();
  private readonly done = new Set<string>();
  private inputs = 0;

  hear({ run, type, data }: { run: string; type: string; data: string }): void {
    if (type !== 'SessionConfigured' && type !== 'TaskEnded') return;
    const { id } = JSON.parse(data) as { id: string };
    if (typeof id === 'string' && id.startsWith('calm')) (type === 'TaskEnded' ? this.done : this.ordered).add(run);
  }

  isDone(run: string): boolean {
    return this.done.has(run);
  }

  /** `hangs`: one of its commands never ends by itself. */
  wishFor({ run, kind, status }: RunRow, hangs: boolean): Wish | undefined {
    if (hangs && status === 'running') return simple('Interrupt', 'calm');
    if (kind !== 'session' || this.done.has(run) || (status !== 'idle' && status !== 'closed')) return undefined;
    if (!this.ordered.has(run)) return configure('calm', order({}));
    this.inputs += 1;
    return input(`calm-${this.inputs}`, null);
  }
}

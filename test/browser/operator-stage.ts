import type { LedgerBoard } from '../../src/contracts/api/ledger-shapes.js';
import { ENTRIES } from '../operator/entries.js';
import { ConsoleStage } from './console-stage.js';
import type { Page } from './open-browser.js';

/** Moves every moment of a board so that it was made now. */
export function madeNow<Value>(value: Value, at: string): Value {
  const byMs = Date.now() - Date.parse(at);
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(inner)
      ? new Date(Date.parse(inner) + byMs).toISOString()
      : inner,
  ) as Value;
}

const ITEM = 45;

/** A real server, whose answers about one ledger are put in front of it: so that it can stand in every state. */
export class OperatorStage extends ConsoleStage {
  async showing(page: Page, board: LedgerBoard): Promise<void> {
    await page.addInitScript({ content: `${STUB}(${JSON.stringify(this.saidAbout(board))});` });
  }

  /** The same, in a page that is open already. */
  async changeTo(page: Page, board: LedgerBoard): Promise<void> {
    await page.evaluate(`Object.assign(window.said, ${JSON.stringify(this.saidAbout(board))})`);
  }

  private saidAbout(given: LedgerBoard): Record<string, unknown> {
    const board = madeNow(given, given.at);
    const { run_id, status } = board.ledger;
    const run = runOf(board);
    const attempt = {
      ...run,
      run_id: `${run_id}.T-4.1`,
      kind: 'task',
      status: 'running',
      parent: run_id,
      waiting_for: null,
    };
    const entries = madeNow(ENTRIES, given.at);
    const blocked = board.rows.find(({ item }) => item !== null);
    return {
      [`/runs/${run_id}`]: run,
      '/runs?kind=ledger': {
        items: [
          run,
          {
            ...run,
            run_id: 'e7a1c0de-0000-4000-8000-000000000001',
            status: 'done',
            ended: true,
            waiting_for: null,
            title: 'Upgrade the design system',
          },
        ],
        next: null,
      },
      [`/runs/${run_id}.T-4.1`]: { ...attempt, title: 'T-4 Move invoice renderer', agent: 'codex-1' },
      [`/runs/${run_id}.T-4.1/log`]: { text: 'reading src/billing/invoice\nmoved header.ts\n', next: 45, ended: false },
      [`/runs/${run_id}.T-4.1/events`]: { items: eventsOf(`${run_id}.T-4.1`, board.opened_at), next: null },
      [`/ledgers/${run_id}/board`]: board,
      [`/ledgers/${run_id}/worklog`]: { items: entries },
      '/inbox': { items: blocked && status === 'running' ? [itemOf(board)] : [], next: null },
      [`/inbox/${ITEM}`]: itemOf(board),
    };
  }
}

function runOf({ ledger, opened_at, at, objective, cost_usd, tokens, rows }: LedgerBoard): Record<string, unknown> {
  return {
    ...{
      run_id: ledger.run_id,
      kind: 'ledger',
      status: ledger.status,
      title: objective,
      agent: null,
      project: 'shop',
      parent: null,
    },
    ...{
      owes: true,
      ended: false,
      waits_for: null,
      wake_at: null,
      version: 4,
      head: 'a'.repeat(64),
      epoch: 1,
      owner: null,
    },
    waiting_for: rows.find(({ item }) => item !== null)?.item ?? null,
    metrics: { cost_usd, tokens, seconds: 1_800, handoffs: 9 },
    ...{ created_at: opened_at, updated_at: at },
  };
}

function eventsOf(run_id: string, at: string): unknown[] {
  return ['TaskBegun', 'WorkspacePrepared', 'HandoffAsked', 'HandoffAnswered'].map((type, index) => ({
    ...{
      position: index + 1,
      run_id,
      seq: index + 1,
      type,
      at,
      actor: 'worker-1',
      data: { attempt: 1 },
      hash: 'b'.repeat(64),
    },
  }));
}

function itemOf(board: LedgerBoard): Record<string, unknown> {
  const task = board.ledger.tasks.find(({ status }) => status === 'blocked');
  return {
    ...{
      item: ITEM,
      run_id: board.ledger.run_id,
      kind: 'blocker',
      status: 'open',
      title: `${task?.task_id} is blocked`,
    },
    question: `${task?.reason}. Give it to another agent, try again with more time, or give it up?`,
    ...{ created_at: board.at, expires_at: null, made_by: null, barred: null, answered: null },
    details: {
      ...{ about: `${task?.task_id} ${task?.title}`, task_id: task?.task_id, code: task?.code, reason: task?.reason },
      attempts: [
        { owner: 'codex-2', end: 'again', code: task?.code },
        { owner: 'codex-2', end: 'blocked', code: task?.code },
      ],
      worklog: JSON.stringify({
        actor: 'codex-2',
        action: 'wrote the Stripe adapter',
        result: 'two of five contract tests pass',
      }),
      ...{ waits_for: ['T-9'], agents: ['codex-main', 'claude-arch'] },
    },
  };
}

/** Answers what it was told to; all else goes to the server. What was sent to it is kept. */
const STUB = `((said) => {
  window.said = said; window.sent = [];
  const real = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const url = new URL(String(input), location.href);
    const path = url.pathname.replace('/api/v1', '');
    const kind = url.searchParams.get('kind');
    const named = window.said[kind ? path + '?kind=' + kind : path];
    if (init && init.method === 'POST' && /^\\/inbox\\/45\\/answer$/.test(path)) {
      window.sent.push(JSON.parse(init.body));
      return new Response(JSON.stringify({ item: 45, said: 'codex-main tries it.' }), { status: 200, headers: { 'content-type': 'application/json' } });
    }
    if (named === undefined) return real(input, init);
    return new Response(JSON.stringify(named), { status: 200, headers: { 'content-type': 'application/json' } });
  };
})`;

import { ledgerAct } from '../../contracts/api/ledger-act.js';
import { ledgerOrder } from '../../contracts/api/ledger-order.js';
import type { LedgerActBody } from '../../contracts/generated/types/ledger-act.js';
import type { LedgerOrderBody } from '../../contracts/generated/types/ledger-order.js';
import { type LedgerDeltaInput, ledgerDelta } from '../../contracts/operator/ledger-delta.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Verb } from '../../core/access/role.js';
import type { Baton } from '../../engine/opened-baton.js';
import { type LedgerOptions, ledgerDefaults } from '../../engine/operator/open-ledger.js';
import { refuseOtherOwner, refuseOthersTask } from '../guard/own-task.js';
import { readResultBody } from '../read-result-body.js';
import { type Asked, type Route, route, withBody } from '../route.js';
import { limitsIn } from './limits-in.js';

const LEDGERS = '/api/v1/ledgers';
const LEDGER = `${LEDGERS}/:run`;

const create = withBody({
  ...{ method: 'POST', path: LEDGERS, verb: 'ledger.lead', summary: 'Open a ledger; no task is begun.' },
  ...{ body: ledgerOrder, status: 201 },
  async answer({ baton, body, by, repeated }: Asked<LedgerOrderBody>) {
    const { operator } = baton;
    if (repeated !== null) return operator.object(repeated);
    const options = { ...optionsOf(body), ...(await ledgerDefaults(baton, body, null)) };
    const run = await opened(baton, body, options, by);
    if (body.objective !== undefined) await baton.engine.drive(run);
    return operator.object(run);
  },
});

function opened({ operator }: Baton, body: LedgerOrderBody, options: LedgerOptions, by: Asked['by']): Promise<string> {
  const { plan, handoff, objective } = body;
  if (plan) return operator.init(plan, options, by);
  if (handoff) return operator.takeOver(handoff, options, by);
  const planner = options.planner ?? options.agent;
  if (planner === undefined)
    throw new BatonError('MISSING_REQUIRED_INPUT', '/planner is missing', { path: '/planner' });
  return operator.plan({ global_objective: objective ?? '' }, { ...options, planner }, by);
}

type Act = Asked<LedgerActBody>;

/** What is said about a ledger, and what is answered. */
const acting = (
  part: string,
  { verb, summary, status = 200 }: { verb: Verb; summary: string; status?: 200 | 202 },
  act: (asked: Act, run: string) => Promise<unknown>,
): Route =>
  withBody({
    ...{ method: 'POST', path: `${LEDGER}/${part}`, verb, summary, body: ledgerAct, status },
    answer: (asked: Act) => act(asked, asked.params.run ?? ''),
  });

const leads = { verb: 'ledger.lead' } as const;
const works = { verb: 'ledger.work' } as const;

const acts = [
  acting('run', { ...leads, summary: 'baton operator run', status: 202 }, async (asked, run) => {
    const { baton, by, repeated } = asked;
    const { concurrency, agent, fallback } = asked.body;
    const pace = { ...(concurrency && { concurrency }), ...(agent && { agent }), ...(fallback && { fallback }) };
    if (repeated === null) await baton.operator.go(run, pace, by);
    await baton.engine.drive(run);
    return baton.operator.object(run);
  }),
  acting('plan', { ...leads, summary: 'The planner plans again.', status: 202 }, async (asked, run) => {
    const { baton, by, repeated } = asked;
    if (repeated === null) await baton.operator.replan(run, by);
    await baton.engine.drive(run);
    return baton.operator.object(run);
  }),
  acting('tick', { ...leads, summary: 'baton operator tick' }, async ({ baton, by, repeated }, run) => {
    if (repeated === null) await baton.operator.tick(run, by);
    return baton.operator.object(run);
  }),
  acting('assignments', { ...leads, summary: 'Give a task to somebody by name.' }, ({ baton, body, by }, run) =>
    baton.operator.assign(run, named(body, 'task_id'), named(body, 'owner'), by),
  ),
  acting('claim', { ...works, summary: 'Take the next task, with a fencing token.' }, async (asked, run) => {
    const { baton, body, by, who } = asked;
    const owner = body.owner ?? who.agent ?? named(body, 'owner');
    refuseOtherOwner(who, owner);
    return baton.operator.claim(run, owner, by);
  }),
  acting('heartbeats', { ...works, summary: 'A task is still worked on.' }, async ({ baton, body, who }, run) => {
    const [task, { epoch = null, at }] = [named(body, 'task_id'), body];
    await refuseOthersTask(baton, who, run, task);
    await baton.operator.heartbeat(run, task, { epoch, ...(at !== undefined && { at }) });
    return baton.operator.object(run);
  }),
];

const results = route({
  ...{ method: 'POST', path: `${LEDGER}/results`, verb: 'ledger.work', summary: 'Hand in the result of a task.' },
  takes: 'anything',
  async answer({ baton, params: { run = '' }, body, by, who, repeated }) {
    const { operator } = baton;
    const { result, epoch } = readResultBody(body);
    if (repeated === null) {
      const value = typeof result === 'string' ? await operator.readResult(result) : result;
      await refuseOthersTask(baton, who, run, (value as { task_id?: unknown }).task_id);
      await operator.result(run, value, { epoch }, by);
    }
    return operator.object(run);
  },
});

const deltas = withBody({
  ...{ method: 'POST', path: `${LEDGER}/deltas`, verb: 'ledger.lead', summary: 'Change rows of a ledger.' },
  body: ledgerDelta,
  async answer({ baton, params: { run = '' }, body, by }: Asked<LedgerDeltaInput>) {
    await baton.operator.delta(run, body, by);
    return baton.operator.object(run);
  },
});

const looking = (part: string, summary: string, tell: (asked: Asked, run: string) => Promise<unknown>): Route =>
  route({
    ...{ method: 'GET', path: `${LEDGER}${part}`, verb: 'look', summary },
    answer: (asked) => tell(asked, asked.params.run ?? ''),
  });

export const ledgerRoutes: readonly Route[] = [
  create,
  ...acts,
  results,
  deltas,
  looking('', 'How its tasks stand.', ({ baton }, run) => baton.operator.object(run)),
  looking('/board', 'The same with times, attempts and who waits for whom.', ({ baton }, run) =>
    baton.operator.board(run),
  ),
  looking('/locks', 'Who has which paths.', async ({ baton }, run) => {
    const { run_id, active_locks } = await baton.operator.object(run);
    return { run_id, active_locks };
  }),
  looking('/handoff', 'Everything a fresh orchestrator needs.', ({ baton }, run) => baton.operator.handoff(run)),
  looking('/reconcile', 'The ledger, once no contradiction is in it.', async ({ baton }, run) => {
    await baton.operator.reconcile(run);
    return baton.operator.object(run);
  }),
  route({
    ...{ method: 'GET', path: `${LEDGER}/worklog`, verb: 'look', summary: 'What was done, by whom.' },
    query: { task: 'only of this one' },
    async answer({ baton, params: { run = '' }, query: { task = null } }) {
      return { items: await baton.operator.worklog(run, task), next: null };
    },
  }),
];

function named(body: LedgerActBody, field: 'task_id' | 'owner'): string {
  const value = body[field];
  if (value !== undefined) return value;
  throw new BatonError('MISSING_REQUIRED_INPUT', `/${field} is missing`, { path: `/${field}` });
}

function optionsOf(body: LedgerOrderBody): LedgerOptions {
  const { repo, fallback, planner, concurrency, project, env, net } = body;
  return {
    repo,
    ...(fallback !== undefined && { fallback }),
    ...(planner !== undefined && { planner }),
    ...(concurrency !== undefined && { concurrency }),
    ...(project !== undefined && { project }),
    ...(env && { env }),
    ...(net && { network: net }),
    limits: limitsIn(body),
  };
}

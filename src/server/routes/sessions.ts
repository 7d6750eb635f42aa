import { setImmediate as othersTurn } from 'node:timers/promises';
import type { SessionCard } from '../../contracts/api/session-shapes.js';
import type { Submission } from '../../contracts/generated/types/submission.js';
import { submission } from '../../contracts/session/submission.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { may } from '../../core/access/role.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { RunRow } from '../../engine/ports.js';
import { sessionBoard } from '../../engine/session/session-board.js';
import { sessionCard } from '../../engine/session/session-card.js';
import type { SessionCaller } from '../../engine/session/session-desk.js';
import { sessionStop } from '../../engine/session/session-stop.js';
import { itemsOf, openItems } from '../../engine/shown/open-items.js';
import { refuseOwnWork } from '../guard/own-work.js';
import { badQuery } from '../http-problem.js';
import { countIn, textsIn } from '../read-query.js';
import { type Asked, type Identity, type Route, route, withBody } from '../route.js';
import { sessionPieces } from '../stream/session-pieces.js';
import { IDS_HELP, namedRuns } from './named-runs.js';

const LIMIT = { min: 1, max: 1_000 };
const LIMIT_DEFAULT = 50;
const EVENTS_DEFAULT = 200;
const SEQ = { min: 0, max: Number.MAX_SAFE_INTEGER };
const SESSION = '/api/v1/sessions/:id';

/** Whoever comes over HTTP is one client by its token: the same id with the same content is one submission. */
function callerOf({ name, role, agent }: Identity): SessionCaller {
  return { actor: name, role, agent, client: `http:${name}`, isLocal: false };
}

const open = {
  ...{ method: 'POST', path: '/api/v1/sessions', verb: 'session.open', status: 201, takes: 'anything' },
  summary: 'Open a session: the fields of configure_session.',
  async answer({ baton, who, by, body }: Asked<unknown>) {
    const fields = typeof body === 'object' && body !== null ? body : {};
    const said = { id: by.key?.key ?? baton.ids.uuid(), op: { ...fields, type: 'configure_session' } };
    const configure = parseContract(submission, said, { strict: true });
    const { session } = await baton.sessions.configure(configure, callerOf(who), null, by.key);
    return { run_id: session, session_id: session };
  },
} as Route;

export const sessionRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/sessions', verb: 'look', summary: 'Sessions as cards, the newest first.' },
    query: { status: '', project: '', q: 'words', after: 'cursor', limit: '', ids: IDS_HELP },
    async answer({ baton, query }) {
      if (query.ids !== undefined) {
        const rows = (await namedRuns(baton.store, query.ids)).filter(({ kind }) => kind === 'session');
        return { items: await cardsOf(baton, rows), next: null };
      }
      const { q, ...given } = textsIn(query, ['status', 'project', 'after', 'q']);
      const limit = countIn(query, 'limit', LIMIT) ?? LIMIT_DEFAULT;
      const search = q === undefined ? {} : { search: q };
      const { items, next } = await baton.store.runs({ ...given, ...search, kind: 'session', limit });
      return { items: await cardsOf(baton, items), next };
    },
  }),
  open,
  route({
    ...{ method: 'GET', path: SESSION, verb: 'look' },
    summary: 'A session with its tasks, turns, calls, open approvals, plan, rules and what it has used.',
    async answer({ baton, params: { id = '' } }) {
      const { store, sessions } = baton;
      const { row, session } = await sessionOf(baton, id);
      const items = await itemsOf(store, id);
      return sessionBoard({ store, desk: sessions }, { row, session, items });
    },
  }),
  withBody({
    ...{ method: 'POST', path: `${SESSION}/submissions`, verb: 'session.input', status: 202, body: submission },
    summary: 'Send a submission; what comes of it is told by the events.',
    async answer({ baton, params: { id = '' }, who, body }: Asked<Submission>) {
      await sessionOf(baton, id);
      const { type } = body.op;
      if (ANSWERS.has(type)) await refuseAnswer(baton, who, id);
      if (ELSEWHERE.has(type))
        throw new BatonError('USAGE', `${type} is for connections that stay; here a token says who it is`);
      if (AGENT_OPS.has(type)) throw new BatonError('NOT_SUPPORTED', `${type} is not done by sessions`, { op: type });
      if (body.op.type === 'configure_session' && body.op.resume_from !== undefined)
        throw new BatonError('USAGE', 'resume_from is for opening a session; this one is named by its address');
      const caller = callerOf(who);
      if (type !== 'configure_session')
        return { accepted: true, events: await baton.sessions.submit(id, body, caller) };
      const { replies } = await baton.sessions.configure(body, caller, id);
      return { accepted: true, events: replies };
    },
  }),
  route({
    ...{ method: 'GET', path: `${SESSION}/events`, verb: 'look', summary: 'What clients of a session are told.' },
    query: { after: 'seq', limit: '' },
    async stream({ baton, query, signal, params: { id = '' } }, { last }) {
      const { row } = await sessionOf(baton, id);
      return sessionPieces(baton.sessions, id, { after: seqIn(row, last ?? query.after), signal });
    },
    async answer({ baton, query, params: { id = '' } }) {
      const { row } = await sessionOf(baton, id);
      const limit = countIn(query, 'limit', LIMIT) ?? EVENTS_DEFAULT;
      const { events, next } = await baton.sessions.events(id, seqIn(row, query.after), limit);
      return { items: events, next: next < row.version ? String(next) : null };
    },
  }),
];

const ANSWERS: ReadonlySet<string> = new Set(['exec_approval', 'patch_approval']);
const ELSEWHERE: ReadonlySet<string> = new Set(['attach', 'authenticate']);
const AGENT_OPS: ReadonlySet<string> = new Set([
  ...['configure_agent', 'spawn_sub_agent', 'register_agent', 'lifecycle_transition', 'knowledge_update'],
]);

async function refuseAnswer(baton: Baton, who: Identity, run: string): Promise<void> {
  if (!may(who.role, 'session.approve')) {
    throw new BatonError('FORBIDDEN', `${who.role} may not answer what a session asks`, { needed: 'steward' });
  }
  await refuseOwnWork(baton, who, run, { answers: true });
}

async function sessionOf(baton: Baton, id: string): Promise<{ row: RunRow; session: LiveSession }> {
  const row = await baton.store.run(id);
  if (row?.kind !== 'session') {
    throw new BatonError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(id)}`, { session_id: id });
  }
  return { row, session: await baton.sessions.state(id) };
}

/** Each session is folded from its rows, a thousand of them in a second: everybody else has a turn in between. */
async function cardsOf(baton: Baton, rows: readonly RunRow[]): Promise<readonly SessionCard[]> {
  const waiting = await openItems(baton.store);
  const cards: SessionCard[] = [];
  for (const row of rows) {
    const session = await baton.sessions.state(row.run);
    const stopped = await sessionStop(baton.store, row, session);
    cards.push(sessionCard(row, session, { item: waiting.get(row.run) ?? null, stopped }));
    await othersTurn();
  }
  return cards;
}

/** A number that was never given out is a mistake: whoever waits behind it would wait for ever. */
function seqIn({ version }: RunRow, text: string | undefined): number {
  const after = text === undefined ? 0 : (countIn({ after: text }, 'after', SEQ) ?? 0);
  if (after > version) throw badQuery('after', String(after));
  return after;
}

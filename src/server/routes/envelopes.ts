import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { toldError } from '../../contracts/envelope/told-error.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { Pace } from '../../core/envelope/envelope-messages.js';
import type { EnvelopeOptions } from '../../engine/envelope/envelope-service.js';
import { inOrder } from '../../engine/envelope/in-order.js';
import { untilGiven } from '../../engine/envelope/until-given.js';
import { refuseOwnAnswer } from '../guard/own-answer.js';
import { badQuery, problemOf } from '../http-problem.js';
import { Lines } from '../read-lines.js';
import { countIn } from '../read-query.js';
import { Answer, type Asked, type Route, route } from '../route.js';
import { IDS_HELP, namedRuns } from './named-runs.js';

const WAIT_S_MAX = 300;
const EVENT = { min: 1, max: Number.MAX_SAFE_INTEGER };

const OPTIONS = {
  agent: 'who answers stages that name nobody',
  pipeline: 'name of the pipeline; default is the one of contract 002',
  repo: 'folder on the machine of the server that it is about: tools look there, and what is cited must be there',
  around: 'folder that tools look into when none is named',
  project: 'who pays',
} as const;

const process = {
  ...{
    method: 'POST',
    path: '/api/v1/process',
    verb: 'envelope.process',
    summary: 'Pass an envelope through its stages; or many, one a line, with answers in the same order.',
  },
  query: { mode: 'step is one stage; async answers at once, with 202', ...OPTIONS },
  takes: 'lines',
  tellsErrors: true,
  async answer(asked: Asked<unknown>) {
    if (!(asked.body instanceof Lines)) return processed(asked);
    // Each of those at work waits for it.
    setMaxListeners(0, asked.signal);
    const lines = inOrder(asked.body.each(), (line) => lineOf(asked, line));
    return new Answer(200, Readable.from(lines), { 'content-type': 'application/x-ndjson' });
  },
} as Route;

async function processed({ baton, body, by, who, query, signal }: Asked<unknown>): Promise<unknown> {
  const { envelopes } = baton;
  const pace = paceOf(query.mode);
  await refuseOwnAnswer(baton, who, body);
  const received = await envelopes.receive(body, optionsOf(query), pace, by);
  if (query.mode === 'async') {
    await baton.engine.drive(received.run);
    return new Answer(202, { run_id: received.run });
  }
  return envelopes.outcome(received, signal);
}

/** A line that is refused does not hold up the others. Each is known again by itself, so a key is not for them. */
async function lineOf(asked: Asked<unknown>, { line, bytes }: { line: number; bytes: Uint8Array }): Promise<string> {
  const { actor } = asked.by;
  try {
    const read = readJson(bytes);
    if ('denial' in read) throw new BatonError(read.denial.code, read.denial.reason, read.denial.details);
    const given = await processed({ ...asked, body: read.value, by: { actor } });
    return `${JSON.stringify(given instanceof Answer ? given.value : given)}\n`;
  } catch (failure) {
    const { status, error } = problemOf(failure);
    if (status === 500) throw failure;
    return `${JSON.stringify({ ...toldError(error), line })}\n`;
  }
}

function paceOf(mode: string | undefined): Pace {
  if (mode === undefined || mode === 'async') return 'process';
  if (mode === 'step') return 'step';
  throw badQuery('mode', mode);
}

function optionsOf(query: Readonly<Record<string, string>>): EnvelopeOptions {
  const said = Object.entries(query).filter(([name]) => Object.hasOwn(OPTIONS, name));
  return Object.fromEntries(said) as EnvelopeOptions;
}

export const envelopeRoutes: readonly Route[] = [
  process,
  route({
    ...{ method: 'GET', path: '/api/v1/envelopes', verb: 'look', query: { ids: IDS_HELP } },
    summary: 'Envelopes as cards: stage, goals and bounds of those that are named.',
    async answer({ baton, query: { ids = '' } }) {
      const rows = (await namedRuns(baton.store, ids)).filter(({ kind }) => kind === 'envelope');
      return { items: await Promise.all(rows.map((row) => baton.envelopes.card(row))), next: null };
    },
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/envelopes/:run', verb: 'look', summary: 'An envelope as it is now.' },
    query: { wait: `seconds to wait until nobody works on it, up to ${WAIT_S_MAX}` },
    async answer({ baton, params: { run = '' }, query, signal }) {
      const { envelopes, clock } = baton;
      await envelopes.state(run);
      if (query.wait !== undefined) {
        await untilGiven(clock, secondsIn(query.wait) * 1_000, signal, (given) => envelopes.untilStill(run, given));
      }
      return envelopes.current(run);
    },
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/envelopes/:run/board', verb: 'look', query: { at: 'event' } },
    summary: 'The same with its pipeline, every stage that was at work, and every version.',
    answer: ({ baton, params: { run = '' }, query }) => baton.envelopes.board(run, countIn(query, 'at', EVENT)),
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/pipelines', verb: 'look', summary: 'Names of the pipelines there are.' },
    answer: async ({ baton }) => ({ items: (await baton.envelopes.pipelines()).map((name) => ({ name })), next: null }),
  }),
];

function secondsIn(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= WAIT_S_MAX) return seconds;
  throw badQuery('wait', text);
}

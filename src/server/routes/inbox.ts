import { inboxAnswer } from '../../contracts/api/inbox-answer.js';
import type { Answered, InboxItem } from '../../contracts/api/inbox-shapes.js';
import type { InboxAnswerBody } from '../../contracts/generated/types/inbox-answer.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { GivenAnswer } from '../../engine/inbox/answer.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { InboxRow } from '../../engine/ports.js';
import { itemAnswer } from '../../engine/shown/item-answer.js';
import { itemObject } from '../../engine/shown/item-object.js';
import { ownWork, refuseOwnWork } from '../guard/own-work.js';
import { countIn } from '../read-query.js';
import { type Asked, type Identity, type Route, route, withBody } from '../route.js';

const LIMIT = { min: 1, max: 1_000 };
const LIMIT_DEFAULT = 100;
const ITEM = '/api/v1/inbox/:item';

export const inboxRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/inbox', verb: 'look', summary: 'What waits for a person, the oldest first.' },
    query: { after: 'item', limit: '' },
    async answer({ baton, query, who }) {
      const limit = countIn(query, 'limit', LIMIT) ?? LIMIT_DEFAULT;
      const rows = await baton.inbox.open(countIn(query, 'after', { min: 0, max: 2 ** 53 - 1 }) ?? 0, limit);
      const items = await Promise.all(rows.map((row) => shown(baton, who, row)));
      return { items, next: rows.length === limit ? String(rows.at(-1)?.item) : null };
    },
  }),
  route({
    ...{ method: 'GET', path: ITEM, verb: 'look', summary: 'One item, also an answered one.' },
    answer: async ({ baton, params, who }) => shown(baton, who, await itemOf(baton, params.item)),
  }),
  withBody({
    ...{ method: 'POST', path: `${ITEM}/answer`, verb: 'inbox.answer', summary: 'Answer an item.', body: inboxAnswer },
    async answer({ baton, params, body, by, who, repeated }: Asked<InboxAnswerBody>): Promise<Answered> {
      const row = await itemOf(baton, params.item);
      await refuseOwnWork(baton, who, row.run, { answers: true });
      const over = repeated !== null && row.answeredAt !== null;
      const { said, job } = await (over ? baton.inbox.answered(row) : baton.inbox.answer(row, answerOf(body), by));
      return job === null ? { item: row.item, said } : { ...(await baton.jobs.show(job)), item: row.item, said };
    },
  }),
];

/** `barred` is why whoever looks may not answer it, `answered` who did. */
async function shown(baton: Baton, who: Identity, row: InboxRow): Promise<InboxItem> {
  return {
    ...(await itemObject(baton.inbox, row)),
    made_by: (await baton.store.events(row.run, 0, 1))[0]?.actor ?? null,
    barred: (await ownWork(baton, who, row.run, { answers: true })) ?? null,
    answered: await itemAnswer(baton, row),
  };
}

function itemOf({ inbox }: Baton, number = ''): Promise<InboxRow> {
  if (/^[1-9]\d{0,14}$/.test(number)) return inbox.item(Number(number));
  throw new BatonError('ITEM_NOT_FOUND', `there is no item ${JSON.stringify(number)}`, { item: number });
}

function answerOf({ decision, text, guidance, raise, always }: InboxAnswerBody): GivenAnswer {
  const words = guidance ?? text;
  const forGood = always !== undefined && always !== false;
  return {
    ...(decision && { decision }),
    ...(words !== undefined && { text: words }),
    ...(raise !== undefined && { raise }),
    ...(forGood && { always: { days: always === true ? null : always } }),
  };
}

import { ruleOrder } from '../../contracts/api/rule-order.js';
import type { RuleOrderBody } from '../../contracts/generated/types/rule-order.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { type Asked, type Route, route, withBody } from '../route.js';

export const ruleRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/rules', verb: 'look', summary: 'Rules that are kept.' },
    answer: async ({ baton }) => ({ items: await baton.rules.kept(), next: null }),
  }),
  withBody({
    ...{ method: 'POST', path: '/api/v1/rules', verb: 'rule.change', summary: 'Keep a rule.', status: 201 },
    body: ruleOrder,
    async answer({ baton, body, by }: Asked<RuleOrderBody>) {
      const rule = { ...body, author: by.actor };
      return { id: String(await baton.rules.add(rule, by.actor, by.key)), ...rule };
    },
  }),
  route({
    ...{ method: 'DELETE', path: '/api/v1/rules/:id', verb: 'rule.change', summary: 'Take a rule back.' },
    async answer({ baton, params: { id = '' }, by }) {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw new BatonError('RULE_NOT_FOUND', `there is no rule ${JSON.stringify(id)}`);
      await baton.rules.remove(Number(id), by.actor, by.key);
      return { id };
    },
  }),
];

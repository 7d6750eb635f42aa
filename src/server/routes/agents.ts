import { agent } from '../../contracts/agent/agent.js';
import type { AgentRegistration } from '../../contracts/generated/types/agent.js';
import { type Asked, type Route, route, withBody } from '../route.js';

export const agentRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/agents', verb: 'look', summary: 'Agents that can be asked.' },
    async answer({ baton }) {
      const registered = (await baton.agents()).map((one) => ({ ...one, status: 'registered' }));
      const ready = (await baton.readyAgents()).filter(({ id }) => !registered.some((one) => one.id === id));
      const found = ready.map(({ id, login }) => ({ id, adapter: id, login, status: 'ready' }));
      const items = [...registered, ...found].map(async (one) => ({ ...one, account: await baton.loginOf(one.id) }));
      return { items: await Promise.all(items), next: null };
    },
  }),
  withBody({
    ...{ method: 'POST', path: '/api/v1/agents', verb: 'agent.register', summary: 'Register an agent.', status: 201 },
    body: agent,
    async answer({ baton, body, by }: Asked<AgentRegistration>) {
      await baton.registerAgent(body, by.actor, by.key);
      return { ...body, status: 'registered' };
    },
  }),
];

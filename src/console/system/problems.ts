import type { System } from '../../client/index.js';
import { clockTime } from '../parts/figures.js';

/** What is not healthy, as sentences with what to do, the worst first. */
export function problemsOf({ chain, workers, sandbox, logins, adapters }: System, agents: number): readonly string[] {
  const silent = workers.filter(({ alive }) => !alive);
  const finding = chain.last && !chain.last.ok ? (chain.last.finding?.says ?? 'it does not verify') : null;
  return [
    ...(finding === null ? [] : [`The log is not as it was written: ${finding}`]),
    ...silent.map(
      ({ worker, leases }) =>
        `${worker} gives no sign of life and holds ${leases.length} runs; a live worker takes them over by itself`,
    ),
    ...(workers.some(({ alive }) => alive)
      ? []
      : ['No worker is alive: nothing moves until one is started, with baton serve']),
    ...(sandbox.holds ? [] : [`No sandbox holds: ${sandbox.why ?? 'it is switched off'}`]),
    ...logins.map(({ login, state, until }) =>
      state === 'lost'
        ? `${login} is logged out; it is tried again at ${clockTime(until)}`
        : `${login} is at its provider's limit until ${clockTime(until)}`,
    ),
    ...(adapters.length + agents === 0
      ? ['No agent was found: install one, or register one with baton agent register']
      : []),
  ];
}

import type { Ports } from './ports.js';

/** Whose limits concern an agent: its own, unless it shares them with others. */
export async function loginOf({ agents }: Pick<Ports, 'agents'>, agent: string): Promise<string> {
  return (await agents.loginOf?.(agent)) ?? agent;
}

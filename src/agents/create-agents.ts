import { NO_USAGE } from '../core/kernel/effect.js';
import { unreachable } from '../core/kernel/unreachable.js';
import type { Agents } from '../engine/ports.js';
import { endLeftovers } from '../sandbox/end-leftovers.js';
import { type Adapter, failed } from './adapter.js';
import { type AgentSpec, BUILT_IN_IDS, builtInSpec } from './agent-spec.js';
import { type CommandOptions, commandAdapter } from './command/command-adapter.js';
import { type HttpOptions, httpAdapter } from './http/http-adapter.js';
import { humanAdapter } from './human/human-adapter.js';
import { type ModelOptions, modelAdapter } from './model/model-adapter.js';
import { type ScriptedOptions, scriptedAdapter } from './scripted/scripted-adapter.js';

export type AgentsOptions = CommandOptions &
  ScriptedOptions &
  ModelOptions &
  HttpOptions & {
    /** Asked at every ask: an agent that is registered meanwhile is known at once. */
    directory: { specOf(id: string): Promise<AgentSpec | undefined>; ids(): Promise<readonly string[]> };
  };

const KNOWN_SHOWN_MAX = 20;

/** Whatever the adapter, what was started for a run carries its marker and is ended in one way. */
export function createAgents(options: AgentsOptions): Agents {
  const { directory, gate, limits } = options;
  return {
    async ask(held, ask, request, signal) {
      const spec = (await directory.specOf(ask.agent)) ?? builtInSpec(ask.agent);
      if (!spec)
        return failed('not-found', `there is no agent ${ask.agent}; known are ${known(await directory.ids())}`);
      return adapterOf(spec, options)(held, ask, request, signal);
    },
    async endLeftover(run, key) {
      const { remaining } = await endLeftovers(gate, run, key, limits);
      if (remaining.length > 0) {
        throw new Error(`could not end ${remaining.map(({ pid, name }) => `${name} (${pid})`).join(', ')}`);
      }
      return NO_USAGE;
    },
  };
}

function adapterOf(spec: AgentSpec, options: AgentsOptions): Adapter {
  switch (spec.adapter) {
    case 'command':
      return commandAdapter(spec, options);
    case 'scripted':
      return scriptedAdapter(spec, options);
    case 'human':
      return humanAdapter;
    case 'model':
      return modelAdapter(spec, options);
    case 'http':
      return httpAdapter(spec, options);
    default:
      return unreachable(spec);
  }
}

function known(registered: readonly string[]): string {
  const ids = [...[...registered].sort(), ...BUILT_IN_IDS];
  const more = ids.length > KNOWN_SHOWN_MAX ? ` and ${ids.length - KNOWN_SHOWN_MAX} more` : '';
  return ids.slice(0, KNOWN_SHOWN_MAX).join(', ') + more;
}

import { type Ask, NO_USAGE } from '../core/kernel/effect.js';
import { unreachable } from '../core/kernel/unreachable.js';
import { TURN_COMPOSER } from '../core/session/session-effects.js';
import type { Agents, Left } from '../engine/ports.js';
import { endLeftovers } from '../sandbox/end-leftovers.js';
import { type AcpOptions, acpAdapter } from './acp/acp-adapter.js';
import { type Adapter, failed } from './adapter.js';
import { type AgentSpec, BUILT_IN_IDS, builtInSpec } from './agent-spec.js';
import { claudeDialect } from './claude/claude-dialect.js';
import { type CliOptions, cliAdapter } from './cli/cli-adapter.js';
import { cliLoginName } from './cli/cli-login.js';
import { codexDialect } from './codex/codex-dialect.js';
import { type CommandOptions, commandAdapter } from './command/command-adapter.js';
import { type HttpOptions, httpAdapter } from './http/http-adapter.js';
import { humanAdapter } from './human/human-adapter.js';
import type { Attempt } from './metering/metering.js';
import { type Environment, providerOfKey, providerOfWire } from './metering/providers.js';
import { type ModelOptions, modelAdapter } from './model/model-adapter.js';
import { type QueueOptions, queueAdapter } from './queue/queue-adapter.js';
import { type ScriptedOptions, scriptedAdapter } from './scripted/scripted-adapter.js';
import { type SessionTurnOptions, sessionTurnAdapter } from './session/session-turn-adapter.js';
import { SpacedStarts } from './spaced-starts.js';

export type AgentsOptions = CommandOptions &
  ScriptedOptions &
  ModelOptions &
  SessionTurnOptions &
  HttpOptions &
  QueueOptions &
  CliOptions &
  AcpOptions & {
    /** What an attempt had used that nobody saw the end of. */
    spentOf(of: Attempt): Left;
    /** Asked at every ask: an agent that is registered meanwhile is known at once. */
    directory: { specOf(id: string): Promise<AgentSpec | undefined>; ids(): Promise<readonly string[]> };
  };

const KNOWN_SHOWN_MAX = 20;
const DIALECTS = { codex: codexDialect, claude: claudeDialect };

/** Whatever the adapter, what was started for a run carries its marker and is ended in one way. */
export function createAgents(options: AgentsOptions): Agents {
  const { directory, gate, limits, spentOf } = options;
  const specOf = async (id: string) => (await directory.specOf(id)) ?? builtInSpec(id);
  const starts = new SpacedStarts(options.clock);
  return {
    async loginOf(agent) {
      const spec = await specOf(agent);
      return (spec && loginOf(spec, options.environment)) ?? agent;
    },
    async ask(held, ask, request, signal) {
      const spec = await specOf(ask.agent);
      if (!spec)
        return failed('not-found', `there is no agent ${ask.agent}; known are ${known(await directory.ids())}`);
      const login = loginOf(spec, options.environment);
      // A person waits for each turn, and a session has one at a time.
      if (login !== undefined && !isTurn(ask)) await starts.turn(login, signal);
      const adapter = isTurn(ask) ? sessionTurnAdapter(spec, options) : adapterOf(spec, options);
      return adapter(held, ask, request, signal);
    },
    async endLeftover(run, key, attempt) {
      const { remaining } = await endLeftovers(gate, run, key, limits);
      if (remaining.length > 0) {
        throw new Error(`could not end ${remaining.map(({ pid, name }) => `${name} (${pid})`).join(', ')}`);
      }
      return key === undefined || attempt === undefined ? NO_USAGE : spentOf({ run, handoff: key, attempt });
    },
  };
}

/** A turn of a session is made of what the session knows, not of what is sent to other agents. */
function isTurn({ request }: Ask): boolean {
  return 'composer' in request && request.composer === TURN_COMPOSER;
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
    case 'codex':
    case 'claude':
      return cliAdapter(spec, DIALECTS[spec.adapter], options);
    case 'acp':
      return acpAdapter(spec, options);
    case 'queue':
      return queueAdapter(spec, options);
    default:
      return unreachable(spec);
  }
}

/** Agents that spend from one key share its limits. */
function loginOf(spec: AgentSpec, environment: Environment): string | undefined {
  if (spec.adapter === 'model') return spec.baseUrl ? new URL(spec.baseUrl).host : providerOfWire(spec.wire);
  if (spec.adapter === 'codex' || spec.adapter === 'claude')
    return cliLoginName(spec, DIALECTS[spec.adapter], environment);
  if (spec.adapter !== 'command' && spec.adapter !== 'acp') return undefined;
  const providers = spec.env.flatMap((name) => providerOfKey(name) ?? []);
  return providers.length === 1 ? providers[0] : undefined;
}

function known(registered: readonly string[]): string {
  const ids = [...[...registered].sort(), ...BUILT_IN_IDS];
  const more = ids.length > KNOWN_SHOWN_MAX ? ` and ${ids.length - KNOWN_SHOWN_MAX} more` : '';
  return ids.slice(0, KNOWN_SHOWN_MAX).join(', ') + more;
}

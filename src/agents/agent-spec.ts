import path from 'node:path';
import { agent } from '../contracts/agent/agent.js';
import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import { type Argv, argvOf, parseCommandLine } from '../contracts/shared/command-line.js';
import { parseContract } from '../contracts/shared/contract.js';
import { BatonError } from '../contracts/shared/errors.js';
import { addressIn, MODEL_AGENT } from '../engine/session/session-orders.js';

/** How an agent is asked, checked and complete: nothing in it is looked at again. */
export type AgentSpec = CommandSpec | ScriptedSpec | HumanSpec | ModelSpec | HttpSpec | QueueSpec | CliSpec | AcpSpec;
export type CommandSpec = {
  adapter: 'command';
  argv: Argv;
  /** Names of environment variables it gets besides those that every program gets. */
  env: readonly string[];
  sandbox: 'read-only' | 'workspace-write' | 'danger-full-access';
};
export type ScriptedSpec = { adapter: 'scripted'; file: string };
export type HumanSpec = { adapter: 'human' };
export type ModelSpec = {
  adapter: 'model';
  wire: 'responses' | 'chat' | 'messages';
  model: string;
  /** Absent is what the environment says, or the vendor's own. */
  baseUrl: string | undefined;
};
export type HttpSpec = {
  adapter: 'http';
  url: string;
  /** Names of environment variables whose values are sent, by header. */
  headerEnv: Readonly<Record<string, string>>;
  /** Whether it may be on this machine or in its network. */
  allowPrivate: boolean;
};

/** A command-line agent that Baton knows how to speak to. */
export type CliSpec = {
  adapter: 'codex' | 'claude';
  /** Where the program is; by default it is looked for. */
  bin: string | undefined;
  model: string | undefined;
  baseUrl: string | undefined;
  /** Undefined: its own when it has one, else a key. */
  login: 'key' | 'own' | undefined;
  sandbox: CommandSpec['sandbox'];
};
/** A program that speaks the Agent Client Protocol on its standard input and output. */
export type AcpSpec = Omit<CommandSpec, 'adapter'> & Pick<CliSpec, 'model' | 'login'> & { adapter: 'acp' };
/** Pulled by whoever has all of the labels. */
export type QueueSpec = { adapter: 'queue'; labels: readonly string[] };

export const HUMAN_ID = 'human';
const SCRIPTED_PREFIX = 'scripted:';
/** Which need no registration, and how each is made to speak the protocol. */
const ACP_COMMANDS: ReadonlyMap<string, Argv> = new Map([
  ['opencode', ['opencode', 'acp']],
  ['gemini', ['gemini', '--acp']],
]);
/** Where nobody says which. */
export const MODEL_DEFAULT = 'gpt-5-codex';

export const BUILT_IN_IDS: readonly string[] = [
  ...[HUMAN_ID, 'codex', 'claude', ...ACP_COMMANDS.keys()],
  `${SCRIPTED_PREFIX}FILE`,
];

/** The provider that the environment names, or one that is named by its address. */
export function isBuiltInModel(id: string): boolean {
  return id === MODEL_AGENT || addressIn(id) !== undefined;
}

/** Agents that need no registration. A relative file is looked for where this process runs. */
export function builtInSpec(id: string): AgentSpec | undefined {
  if (id === HUMAN_ID) return { adapter: 'human' };
  if (id === 'codex' || id === 'claude') return cliSpec(id, { id, adapter: id }, '/');
  if (isBuiltInModel(id)) {
    return { adapter: 'model', wire: 'responses', model: MODEL_DEFAULT, baseUrl: addressIn(id) };
  }
  const command = ACP_COMMANDS.get(id);
  if (command) return acpSpec({ id, adapter: 'acp', command: [...command] }, '/');
  if (!id.startsWith(SCRIPTED_PREFIX)) return undefined;
  return { adapter: 'scripted', file: path.resolve(id.slice(SCRIPTED_PREFIX.length)) };
}

/**
 * What `agent register` was given. Relative files, the program's own too, are meant as seen from `folder`: in the
 * workspace, where the program starts, an agent could have put another one of that name.
 */
export function parseAgentSpec(input: unknown, { folder }: { folder: string }): AgentSpec {
  const registration = parseContract(agent, input);
  switch (registration.adapter) {
    case 'command':
      return commandSpec(registration, folder);
    case 'acp':
      return acpSpec(registration, folder);
    case 'scripted':
      return { adapter: 'scripted', file: path.resolve(folder, registration.file ?? '') };
    case 'human':
      return { adapter: 'human' };
    case 'model':
      return modelSpec(registration);
    case 'http':
      return httpSpec(registration);
    case 'codex':
    case 'claude':
      return cliSpec(registration.adapter, registration, folder);
    case 'queue':
      return { adapter: 'queue', labels: registration.labels ?? [] };
    default:
      return refuse('/adapter', `the adapter ${registration.adapter} is not part of this release`);
  }
}

function commandSpec(
  { command = '', sandbox = 'workspace-write', env = [] }: AgentRegistration,
  folder: string,
): CommandSpec {
  const [program, ...args] = typeof command === 'string' ? parseCommandLine(command) : argvOf(command);
  const found = program.includes('/') ? path.resolve(folder, program) : program;
  return { adapter: 'command', argv: [found, ...args], env: namesOf(env), sandbox };
}

function acpSpec(registration: AgentRegistration, folder: string): AcpSpec {
  const { model, login } = registration;
  return { ...commandSpec(registration, folder), adapter: 'acp', model, login };
}

function cliSpec(
  adapter: CliSpec['adapter'],
  { bin, model, base_url: baseUrl, login, sandbox = 'workspace-write' }: AgentRegistration,
  folder: string,
): CliSpec {
  const program = bin?.includes('/') ? path.resolve(folder, bin) : bin;
  return { adapter, bin: program, model, baseUrl, login, sandbox };
}

function modelSpec({ wire = 'responses', model, base_url: baseUrl }: AgentRegistration): ModelSpec {
  if (model === undefined) return refuse('/model', 'which model? Name it with --model');
  return { adapter: 'model', wire, model, baseUrl };
}

function httpSpec({ url, header_env = {}, allow_private: allowPrivate = false }: AgentRegistration): HttpSpec {
  if (url === undefined) return refuse('/url', 'where is it? Name its address with --url');
  const { username, password } = new URL(url);
  if (username || password) return refuse('/url', 'a login in an address would be stored; use --header-env');
  namesOf(Object.values(header_env));
  return { adapter: 'http', url, headerEnv: header_env, allowPrivate };
}

/** Baton's own variables hold its token and its home: no agent gets them. */
function namesOf(names: readonly string[]): readonly string[] {
  const own = names.findIndex((name) => name.startsWith('BATON_'));
  if (own !== -1) return refuse(`/env/${own}`, `/env/${own} is a variable of Baton's own, which is not passed on`);
  return names;
}

function refuse(at: string, reason: string): never {
  throw new BatonError('SCHEMA_INVALID', reason, { contract: agent.name, path: at });
}

import type { RegisteredTool } from '../../contracts/generated/types/config.js';
import { type Argv, argvOf, parseCommandLine } from '../../contracts/shared/command-line.js';
import type { Risk } from '../tool.js';

export const SECONDS_DEFAULT = 60;

type Common = { name: string; risk: Risk; description: string; seconds: number };
/** `hosts` are those that it may reach from its sandbox. */
export type Program = { argv: Argv; env: readonly string[]; hosts: readonly string[] };
type Address = { url: URL; headerEnv: Readonly<Record<string, string>>; allowPrivate: boolean };

export type CommandTool = Common & Program & { type: 'command' };
export type HttpTool = Common & Address & { type: 'http' };
/** `tool` is its name at the server. */
export type McpTool = Common & { type: 'mcp'; tool: string; server: Program | Address };

/** A tool of the configuration, complete: nothing in it is looked at again. */
export function toolSpec(name: string, registered: RegisteredTool): CommandTool | HttpTool | McpTool {
  const { command, url, mcp, risk, description = '', timeout_seconds: seconds = SECONDS_DEFAULT } = registered;
  const common = { name, risk, description, seconds };
  if (command !== undefined) return { ...common, type: 'command', ...program(command, registered) };
  if (url !== undefined) return { ...common, type: 'http', ...address(url, registered) };
  const { tool = name } = registered;
  const server = mcp?.url === undefined ? program(mcp?.command ?? '', registered) : address(mcp.url, registered);
  return { ...common, type: 'mcp', tool, server };
}

function program(command: string | readonly string[], { env = [], network: hosts = [] }: RegisteredTool): Program {
  return { argv: typeof command === 'string' ? parseCommandLine(command) : argvOf(command), env, hosts };
}

function address(url: string, { header_env: headerEnv = {}, allow_private = false }: RegisteredTool): Address {
  return { url: new URL(url), headerEnv, allowPrivate: allow_private };
}

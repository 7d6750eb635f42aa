import type { ConfigFile, RegisteredTool, SessionServer } from '../generated/types/config.js';
import { argvOf, parseCommandLine } from '../shared/command-line.js';
import { BatonError } from '../shared/errors.js';
import { type Denial, deny } from '../shared/verdict.js';

/** Tools that are always there; nobody else can have their names. */
export const BUILT_IN_TOOLS = ['code_search', 'read_file', 'list_files', 'find_symbols'] as const;

const isBuiltIn = (name: string): boolean => BUILT_IN_TOOLS.some((one) => one === name);

/** Of the fields that only some kinds of tools have, those of each kind. */
const FIELDS_OF = {
  command: ['env', 'network'],
  url: ['header_env', 'allow_private'],
  'mcp.command': ['tool', 'env', 'network'],
  'mcp.url': ['tool', 'header_env', 'allow_private'],
} as const;
const SPECIAL_FIELDS = ['env', 'network', 'header_env', 'allow_private', 'tool'] as const;

export function toolsHold({ tools = {} }: ConfigFile): true | Denial {
  for (const [name, tool] of Object.entries(tools)) {
    const at = `/tools/${name}`;
    const because = isBuiltIn(name) ? 'has the name of a built-in tool' : (kindProblem(tool) ?? valueProblem(tool));
    if (because !== undefined) return deny('SCHEMA_INVALID', `the tool ${name} ${because}`, { path: at });
  }
  return true;
}

/** Servers whose tools sessions use. */
export function sessionServersHold({ session }: ConfigFile): true | Denial {
  for (const [name, server] of Object.entries(session?.mcp_servers ?? {})) {
    const because = serverProblem(server) ?? valueProblem(server);
    const path = `/session/mcp_servers/${name}`;
    if (because !== undefined) return deny('SCHEMA_INVALID', `the server ${name} ${because}`, { path });
  }
  return true;
}

function serverProblem(server: SessionServer): string | undefined {
  const { command, url } = server;
  if ((command === undefined) === (url === undefined)) return 'must have exactly one of command and url';
  const [way, odd] = command === undefined ? (['url', ['env']] as const) : (['command', FIELDS_OF.url] as const);
  const found = odd.find((field) => server[field] !== undefined);
  return found && `has ${found}, which means nothing beside ${way}`;
}

function kindProblem(tool: RegisteredTool): string | undefined {
  const kinds = (['command', 'url', 'mcp'] as const).filter((kind) => tool[kind] !== undefined);
  if (kinds.length !== 1) return 'must have exactly one of command, url and mcp';
  const [kind = 'command'] = kinds;
  const ways = (['command', 'url'] as const).filter((way) => tool.mcp?.[way] !== undefined);
  if (kind === 'mcp' && ways.length !== 1) return 'must have exactly one of mcp.command and mcp.url';
  const which = kind === 'mcp' ? (`mcp.${ways[0] ?? 'command'}` as const) : kind;
  const known: readonly string[] = FIELDS_OF[which];
  const odd = SPECIAL_FIELDS.find((field) => tool[field] !== undefined && !known.includes(field));
  return odd && `has ${odd}, which means nothing beside ${which}`;
}

type Values = Pick<RegisteredTool, 'command' | 'url' | 'mcp' | 'env' | 'header_env'>;

function valueProblem({ command, url, mcp, env = [], header_env = {} }: Values): string | undefined {
  const address = url ?? mcp?.url;
  if (address !== undefined && !URL.canParse(address)) return 'has an address that is none';
  // They hold Baton's own token and home.
  const own = [...env, ...Object.values(header_env)].find((name) => name.startsWith('BATON_'));
  if (own !== undefined) return `wants ${own}, a variable of Baton's own, which is not passed on`;
  const words = command ?? mcp?.command;
  return words === undefined ? undefined : commandProblem(words);
}

function commandProblem(words: string | readonly string[]): string | undefined {
  try {
    const [program] = typeof words === 'string' ? parseCommandLine(words) : argvOf(words);
    // It starts in the folder that is asked about, where somebody else could have put a program of that name.
    const isRelative = program.includes('/') && !program.startsWith('/');
    return isRelative ? 'names its program by a relative path: write the whole one' : undefined;
  } catch (problem) {
    if (problem instanceof BatonError) return `cannot be started: ${problem.message}`;
    throw problem;
  }
}

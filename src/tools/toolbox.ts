import { BUILT_IN_TOOLS } from '../contracts/baton/tool-rules.js';
import type { ConfigFile } from '../contracts/generated/types/config.js';
import { codeSearch } from './built-in/code-search.js';
import { findSymbols } from './built-in/find-symbols.js';
import { listFiles } from './built-in/list-files.js';
import { readFile } from './built-in/read-file.js';
import type { Machine } from './machine.js';
import { commandTool } from './registered/command-tool.js';
import { httpTool } from './registered/http-tool.js';
import { mcpTool } from './registered/mcp-tool.js';
import { toolSpec } from './registered/tool-spec.js';
import type { Risk, Tool } from './tool.js';

export type ToolboxOptions = Machine & {
  /** What the user has registered, checked; read again for each envelope, so that a change needs no restart. */
  tools(): Promise<ConfigFile['tools']>;
};

/** All tools there are at the moment, by name. */
export type Toolbox = {
  find(name: string): Tool | undefined;
  riskOf(name: string): Risk | undefined;
  /** Built-in ones first, then those of the user by name. */
  all(): readonly Tool[];
};

export function createToolbox(options: ToolboxOptions): { open(): Promise<Toolbox> } {
  const builtIn: Readonly<Record<(typeof BUILT_IN_TOOLS)[number], Tool>> = {
    code_search: codeSearch(options),
    read_file: readFile(options),
    list_files: listFiles(options),
    find_symbols: findSymbols(options),
  };
  return {
    async open() {
      const named = Object.entries((await options.tools()) ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
      const registered = named.map(([name, tool]) => registeredTool(toolSpec(name, tool), options));
      const tools = new Map(
        [...BUILT_IN_TOOLS.map((name) => builtIn[name]), ...registered].map((tool) => [tool.name, tool]),
      );
      return {
        find: (name) => tools.get(name),
        riskOf: (name) => tools.get(name)?.risk,
        all: () => [...tools.values()],
      };
    },
  };
}

function registeredTool(spec: ReturnType<typeof toolSpec>, machine: Machine): Tool {
  switch (spec.type) {
    case 'command':
      return commandTool(spec, machine);
    case 'http':
      return httpTool(spec, machine);
    case 'mcp':
      return mcpTool(spec, machine);
  }
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Access } from '../metering/metering.js';
import { makeInside, writeInside } from '../process/write-inside.js';
import type { Prepared, Preparing } from './known-acp.js';
import { ownFolders } from './own-folders.js';

/** Where it keeps its settings, its conversations and its login, by the variable that says where. */
const FOLDERS = {
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_STATE_HOME: '.local/state',
  XDG_CACHE_HOME: '.cache',
} as const;

/** It would fetch these by itself: a newer release, a list of models, servers for languages, packages. */
const QUIET = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  OPENCODE_DISABLE_SHARE: '1',
};

/** With folders of its own and nothing but the proxy; or, with its own login, as its user has set it up. */
export function prepareOpencode(at: Preparing): Prepared | { problem: string } {
  const { spec, ways, environment } = at;
  if (spec.login === 'own') {
    const kept = Object.entries(FOLDERS).map(([name, folder]) => path.join(environment[name] || folder, 'opencode'));
    const config = JSON.stringify({ ...CONFIG, permission: permissionsOf(at) });
    return { env: { ...QUIET, OPENCODE_CONFIG_CONTENT: config }, writable: ownFolders(environment, kept) };
  }
  if (ways.length === 0) {
    const problem =
      'neither OPENAI_API_KEY nor ANTHROPIC_API_KEY is set; to use its own login register it with --login own';
    return { problem };
  }
  const { state, workspace } = at;
  makeState(state);
  const rules = path.join(workspace, 'AGENTS.md');
  const config = {
    ...CONFIG,
    permission: permissionsOf(at),
    enabled_providers: ways.map(({ provider }) => provider),
    provider: Object.fromEntries(ways.map((way) => [way.provider, { options: { baseURL: addressFor(way) } }])),
    // Settings of the repository are not read: they could name another provider, or allow what is to be asked.
    ...(existsSync(rules) && { instructions: [rules] }),
  };
  const folders = Object.entries(FOLDERS).map(([name, folder]) => [name, path.join(state, folder)]);
  const env = {
    ...QUIET,
    ...Object.fromEntries(folders),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    OPENCODE_DISABLE_CLAUDE_CODE: '1',
    OPENCODE_PURE: '1',
    // Where it looks for settings of its user; what it starts keeps HOME.
    OPENCODE_TEST_HOME: state,
  };
  return { env, writable: [state] };
}

/** Nobody reads the title of a conversation here, so none is paid for. */
const CONFIG = { autoupdate: false, share: 'disabled', snapshot: false, agent: { title: { disable: true } } };

/** Looking and changing its own workspace is what it is there for. */
function permissionsOf({ asks, spec }: Preparing): unknown {
  if (!asks) return 'allow';
  const looks = Object.fromEntries(
    ['read', 'glob', 'grep', 'list', 'todowrite', 'todoread'].map((tool) => [tool, 'allow']),
  );
  return { '*': 'ask', ...looks, edit: spec.sandbox === 'read-only' ? 'deny' : 'allow', external_directory: 'ask' };
}

function addressFor({ provider, baseUrl }: Access['ways'][number]): string {
  return provider === 'anthropic' ? `${baseUrl}/v1` : baseUrl;
}

const PLUGIN = '@opencode-ai/plugin';

/** It installs a package for plugins unless it sees it in place. There are no plugins. */
function makeState(state: string): void {
  const config = path.join(FOLDERS.XDG_CONFIG_HOME, 'opencode');
  makeInside(state, path.join(config, 'node_modules'));
  const lock = { packages: { '': { dependencies: { [PLUGIN]: '*' } } } };
  writeInside(state, path.join(config, 'package-lock.json'), JSON.stringify(lock));
}

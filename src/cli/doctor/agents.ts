/** The command-line agents Baton knows, and where each keeps its login. Only names stand here, never a secret. */
export type KnownAgent = {
  name: string;
  /** Where the login file lies: in the folder a variable names, else below the user's. `keyField` marks a bare key. */
  login: { folderEnv?: string; folder: string; file: string; kind: string; keyField?: string };
  /** Name of the login in the macOS keychain, where it is kept instead of the file. */
  keychain?: string;
  /** Variables that hold a key or token of their own, with what that is. The first that is set counts. */
  keys: Readonly<Record<string, string>>;
  /** How a person logs in. */
  fix: string;
  install: string;
};

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: 'claude',
    login: { folderEnv: 'CLAUDE_CONFIG_DIR', folder: '.claude', file: '.credentials.json', kind: 'plan login' },
    keychain: 'Claude Code-credentials',
    keys: { ANTHROPIC_API_KEY: 'API key', CLAUDE_CODE_OAUTH_TOKEN: 'plan login' },
    fix: 'run claude, then /login   or: export ANTHROPIC_API_KEY=…',
    install: 'npm i -g @anthropic-ai/claude-code',
  },
  {
    name: 'codex',
    login: {
      folderEnv: 'CODEX_HOME',
      folder: '.codex',
      file: 'auth.json',
      kind: 'plan login',
      keyField: 'OPENAI_API_KEY',
    },
    keys: { OPENAI_API_KEY: 'API key', CODEX_API_KEY: 'API key' },
    fix: 'codex login   or: export OPENAI_API_KEY=…',
    install: 'npm i -g @openai/codex',
  },
  {
    name: 'gemini',
    login: { folder: '.gemini', file: 'oauth_creds.json', kind: 'plan login' },
    keys: { GEMINI_API_KEY: 'API key', GOOGLE_API_KEY: 'API key' },
    fix: 'run gemini and log in   or: export GEMINI_API_KEY=…',
    install: 'npm i -g @google/gemini-cli',
  },
  {
    name: 'opencode',
    login: { folderEnv: 'XDG_DATA_HOME', folder: '.local/share', file: 'opencode/auth.json', kind: 'own login' },
    keys: { ANTHROPIC_API_KEY: 'API key', OPENAI_API_KEY: 'API key' },
    fix: 'opencode auth login',
    install: 'npm i -g opencode-ai',
  },
];

/** Agents that can work when their finding is ok; `model` is built in and needs only a key. */
export const AGENT_TOPICS: readonly string[] = [...KNOWN_AGENTS.map(({ name }) => name), 'model'];

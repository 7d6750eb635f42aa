/** Which folder of src/ may import which. One table; everything not listed is forbidden. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  core: ['contracts'],
  engine: ['contracts', 'core'],
  store: ['contracts', 'engine'],
  agents: ['contracts', 'core', 'engine', 'sandbox'],
  sandbox: ['contracts', 'core', 'engine'],
  workspace: ['contracts', 'core', 'engine', 'sandbox'],
  system: ['contracts', 'engine'],
  /** Baton's hands: what the steps of a plan run. */
  tools: ['contracts', 'core', 'engine', 'sandbox', 'agents', 'workspace'],
  /** The hands of a session: what its calls touch. */
  session: ['contracts', 'core', 'engine', 'sandbox', 'agents', 'workspace', 'tools', 'system'],
  /** The handler of a bridge: its folder, and the orchestrator that it starts. */
  handler: ['contracts', 'core', 'engine', 'sandbox', 'system'],
  /** How people who are not there are told. */
  notify: ['contracts', 'core', 'engine', 'agents'],
  /** What people have set: the configuration, project files, what follows from them. */
  settings: ['contracts', 'core', 'engine', 'system'],
  transports: ['contracts', 'engine'],
  /** Making templates from projects. */
  template: ['contracts', 'core', 'engine', 'bridge', 'system'],
  client: ['contracts'],
  /** The public `baton/bridge`: an orchestrator's side of contract 001. It knows no engine and no store. */
  bridge: ['contracts', 'system'],
  /** A server, as the command line uses one. */
  remote: ['contracts', 'core', 'engine', 'client', 'settings'],
  /** The public `baton/testing`: stands in for providers, so it shares no code with what is tested against it. */
  testing: ['contracts'],
  visualization: ['contracts'],
  console: ['contracts', 'client', 'visualization'],
  /** Parts of wiring.ts that are too large to stand in it. */
  wiring: [
    'contracts',
    'core',
    'engine',
    'agents',
    'sandbox',
    'workspace',
    'system',
    'settings',
    'client',
    'remote',
    'tools',
    'handler',
    'session',
    'transports',
  ],
  server: ['contracts', 'core', 'engine', 'transports'],
  cli: ['contracts', 'core', 'engine', 'client', 'settings', 'system', 'handler', 'template', 'transports'],
};

/** Browser and server share these, and simulation runs the engine: nothing of Node, nothing from npm. */
export const WITHOUT_NODE: readonly string[] = ['contracts', 'core', 'engine', 'client', 'console', 'visualization'];

/** Time, chance and the outside world come in as arguments or ports. */
export const PURE: readonly string[] = ['core', 'engine'];

/** No promise either: a decision is a value. */
export const SYNCHRONOUS: readonly string[] = ['contracts', 'core'];

/** Files directly under src/: the only ones that may import every folder. */
export const ROOTS: readonly string[] = ['main.ts', 'index.ts', 'wiring.ts'];

/** Subpath exports; no other file only re-exports. */
export const BARRELS: readonly string[] = [
  'index.ts',
  'bridge/index.ts',
  'contracts/index.ts',
  'client/index.ts',
  'testing/index.ts',
];

export const LINES_MAX = 400;
export const FUNCTION_LINES_MAX = 70;

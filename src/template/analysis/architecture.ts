import { compareText } from '../project/compare-text.js';
import { isBesideProject } from '../project/is-beside-project.js';
import type { ProjectFile } from '../project/project.js';
import type { Layer } from './codebase-analysis.js';

/** Parts of an architecture, by the names that their folders have. The first folder of a path that is known decides. */
const LAYER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain', 'domains', 'entities', 'entity', 'models', 'model', 'core', 'aggregates', 'valueobjects'],
  application: ['application', 'usecases', 'use-cases', 'use_cases', 'services', 'service', 'handlers', 'interactors'],
  infrastructure: ['infrastructure', 'infra', 'adapters', 'adapter', 'clients', 'gateways', 'providers', 'platform'],
  data: [
    'data',
    'persistence',
    'repositories',
    'repository',
    'repo',
    'db',
    'database',
    'dal',
    'migrations',
    'store',
    'storage',
  ],
  api: [
    'api',
    'apis',
    'controllers',
    'controller',
    'routes',
    'routers',
    'endpoints',
    'rest',
    'graphql',
    'grpc',
    'http',
    'server',
    'web',
  ],
  presentation: [
    'presentation',
    'ui',
    'views',
    'view',
    'pages',
    'components',
    'screens',
    'viewmodels',
    'templates',
    'widgets',
    'layouts',
    'console',
    'frontend',
  ],
  cli: ['cli', 'cmd', 'commands'],
  contracts: ['contracts', 'schemas', 'dto', 'dtos', 'proto', 'types', 'interfaces'],
  middleware: ['middleware', 'middlewares', 'filters', 'interceptors', 'guards'],
  jobs: ['jobs', 'workers', 'tasks', 'queue', 'queues', 'consumers'],
  config: ['config', 'configuration', 'settings', 'conf'],
  shared: ['shared', 'common', 'lib', 'libs', 'utils', 'util', 'helpers', 'support', 'pkg'],
};

const LAYER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LAYER_FOLDERS).flatMap(([layer, folders]) => folders.map((folder) => [folder, layer] as const)),
);

const FOLDERS_MAX = 12;

/** The layer of a file and the folder that says so. */
export function layerOf({
  path,
  role,
}: Pick<ProjectFile, 'path' | 'role'>): { layer: string; folder: string } | undefined {
  const parts = path.split('/');
  parts.pop();
  if (role === 'test') return { layer: 'tests', folder: parts[0] ?? '.' };
  if (role !== 'source' || isBesideProject(path)) return undefined;
  for (const [index, part] of parts.entries()) {
    const layer = LAYER_OF.get(part.toLowerCase()) ?? LAYER_OF.get(lastWord(part));
    if (layer !== undefined) return { layer, folder: parts.slice(0, index + 1).join('/') };
  }
  return undefined;
}

/** Projects of .NET are folders like `Shop.Domain`. */
function lastWord(folder: string): string {
  return folder.slice(folder.lastIndexOf('.') + 1).toLowerCase();
}

/** Largest first; each with the folders that hold most of it. */
export function findLayers(files: readonly ProjectFile[]): Layer[] {
  const layers = new Map<string, Map<string, number>>();
  for (const file of files) {
    const found = layerOf(file);
    if (!found) continue;
    const folders = layers.get(found.layer) ?? new Map<string, number>();
    folders.set(found.folder, (folders.get(found.folder) ?? 0) + 1);
    layers.set(found.layer, folders);
  }
  return [...layers]
    .map(([name, folders]) => ({
      name,
      folders: mostFirst(folders).slice(0, FOLDERS_MAX),
      files: [...folders.values()].reduce((sum, count) => sum + count, 0),
    }))
    .sort((one, other) => other.files - one.files || compareText(one.name, other.name));
}

function mostFirst(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([one, many], [other, more]) => more - many || compareText(one, other)).map(([name]) => name);
}

type PatternRule = { name: string; paths: RegExp; atLeast?: number };

/** Patterns by the names of files and folders: of files with code, and no tests. */
const PATTERN_RULES: readonly PatternRule[] = [
  { name: 'MVVM', paths: /ViewModel\.[a-z]+$|view-model\.|(?:^|\/)view_?models\//i },
  {
    name: 'Repository',
    paths: /(?:[a-z0-9]Repository|(?:^|[/._-])repositor(?:y|ies)|_repo)\.[a-z]+$|(?:^|\/)repositor(?:y|ies)\//i,
  },
  {
    name: 'CQRS',
    paths:
      /(?:Command|Query)Handler\.[a-z]+$|[.-](?:command|query)-?handler\.|(?:^|\/)(?:commands|queries)\/[^/]*handler/i,
  },
  { name: 'Factory', paths: /(?:[a-z0-9]Factory|(?:^|[/._-])factor(?:y|ies))\.[a-z]+$|(?:^|\/)factories\//i },
  { name: 'Service', paths: /(?:[a-z0-9]Service|(?:^|[/._-])services?)\.[a-z]+$|(?:^|\/)services\//i },
  { name: 'Controller', paths: /(?:[a-z0-9]Controller|(?:^|[/._-])controllers?)\.[a-z]+$|(?:^|\/)controllers\//i },
  { name: 'Middleware', paths: /(?:Middleware|(?:^|[/._-])middlewares?)\.[a-z]+$|(?:^|\/)middlewares?\//i },
  { name: 'Adapter', paths: /(?:[a-z0-9]Adapter|(?:^|[/._-])adapters?)\.[a-z]+$|(?:^|\/)adapters\//i },
  {
    name: 'Component',
    paths: /\.(?:vue|svelte|astro|razor|tsx|jsx)$|\.component\.ts$|(?:^|\/)components\//,
    atLeast: 3,
  },
  { name: 'Hooks', paths: /(?:^|\/)use[A-Z][A-Za-z]*\.[jt]sx?$|(?:^|\/)hooks\//, atLeast: 2 },
  {
    name: 'Event-driven',
    paths:
      /(?:EventHandler|[._-](?:event-handler|listener|subscriber))\.[a-z]+$|(?:^|\/)(?:events|listeners|subscribers)\//i,
    atLeast: 2,
  },
  { name: 'State machine', paths: /(?:StateMachine|[._-]?(?:state[._-]?machine|reducer|decider))\.[a-z]+$/i },
  { name: 'Validation', paths: /(?:Validator|(?:^|[/._-])validators?)\.[a-z]+$|(?:^|\/)validators\//i, atLeast: 2 },
  { name: 'Command line', paths: /(?:^|\/)(?:cmd|cli|bin)\/|(?:^|\/)(?:cli|__main__)\.[a-z]+$/ },
  { name: 'Plugin', paths: /(?:^|\/)plugins?\/|[._-]plugin\.[a-z]+$/i, atLeast: 2 },
];

/** Patterns that show in which folders there are together. */
const SHAPES: readonly { name: string; anyOf: readonly (readonly string[])[] }[] = [
  {
    name: 'MVC',
    anyOf: [
      ['models', 'views', 'controllers'],
      ['model', 'view', 'controller'],
    ],
  },
  { name: 'MVC', anyOf: [['models.py', 'views.py', 'urls.py']] },
  { name: 'CQRS', anyOf: [['commands', 'queries']] },
  {
    name: 'Hexagonal',
    anyOf: [
      ['ports', 'adapters'],
      ['domain', 'ports'],
      ['domain', 'adapters'],
    ],
  },
  {
    name: 'Layered',
    anyOf: [
      ['domain', 'infrastructure'],
      ['domain', 'application'],
      ['controllers', 'services', 'repositories'],
      ['controller', 'service', 'repository'],
    ],
  },
  { name: 'Monorepo', anyOf: [['packages'], ['workspaces']] },
];

const SERVICE_FILES = /(?:^|\/)(?:Dockerfile|docker-compose\.ya?ml|compose\.ya?ml)$/;
const SERVICES_MIN = 3;

/** Most frequent first. */
export function findPatterns(files: readonly ProjectFile[]): string[] {
  const counts = new Map<string, number>();
  const names = new Set<string>();
  const services = new Set<string>();
  for (const { path, role } of files) {
    if (SERVICE_FILES.test(path)) services.add(path.slice(0, path.lastIndexOf('/') + 1));
    if (role !== 'source') continue;
    for (const part of path.split('/')) names.add(lastWord(part)).add(part.toLowerCase());
    for (const { name, paths } of PATTERN_RULES) if (paths.test(path)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const { name, atLeast = 1 } of PATTERN_RULES) if ((counts.get(name) ?? 0) < atLeast) counts.delete(name);
  const shapes = SHAPES.filter(({ anyOf }) => anyOf.some((all) => all.every((one) => names.has(one))));
  const found = [...shapes.map(({ name }) => name), ...mostFirst(counts)];
  if (services.size >= SERVICES_MIN) found.unshift('Microservice');
  return [...new Set(found)];
}

/** Whether a file shows a pattern. */
export function showsPattern(path: string, pattern: string): boolean {
  return PATTERN_RULES.find(({ name }) => name === pattern)?.paths.test(path) ?? false;
}

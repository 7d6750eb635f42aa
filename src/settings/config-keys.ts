import { schemas } from '../contracts/generated/validators/schemas.js';

export type ConfigKey = {
  /** Dotted path, e.g. `limits.cost_usd`. */
  key: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  description: string;
  choices?: readonly unknown[];
  default?: unknown;
};

type Node = {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  properties?: Record<string, Node>;
  definitions?: Record<string, Node>;
};

/** These describe the file and are no settings. */
const ABOUT_THE_FILE = ['$schema', 'schema_version'];

/** Every setting there is, read from schemas/config.json. */
export const CONFIG_KEYS: readonly ConfigKey[] = leaves(schemas.config as Node, []);

function leaves(node: Node, at: readonly string[]): ConfigKey[] {
  const { properties, type, description = '', enum: choices, default: fallback } = resolve(node);
  if (properties) {
    return Object.entries(properties)
      .filter(([name]) => !ABOUT_THE_FILE.includes(name))
      .flatMap(([name, inner]) => leaves(inner, [...at, name]));
  }
  // What people name themselves is written into the file: it has no key of ours.
  if (type === 'object') return [];
  return [
    {
      key: at.join('.'),
      type: type as ConfigKey['type'],
      description,
      ...(choices && { choices }),
      ...(fallback !== undefined && { default: fallback }),
    },
  ];
}

function resolve(node: Node): Node {
  const name = /^#\/definitions\/(\w+)$/.exec(node.$ref ?? '')?.[1];
  return name ? ((schemas.config as Node).definitions?.[name] ?? node) : node;
}

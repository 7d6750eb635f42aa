import { BatonError } from '../contracts/shared/errors.js';
import { readJson } from '../contracts/shared/read-json.js';
import { nearest } from '../core/kernel/edit-distance.js';
import { CONFIG_KEYS, type ConfigKey } from './config-keys.js';

type Tree = Record<string, unknown>;

export function findKey(name: string): ConfigKey {
  const found = CONFIG_KEYS.find(({ key }) => key === name);
  if (found) return found;
  const inside = CONFIG_KEYS.filter(({ key }) => key.startsWith(`${name}.`)).map(({ key }) => key);
  if (inside.length > 0) throw new BatonError('USAGE', `${name} is a group. It has: ${inside.join(', ')}.`);
  const suggestion = nearest(
    name,
    CONFIG_KEYS.map(({ key }) => key),
  );
  const offer = suggestion ? ` Did you mean: ${suggestion}?` : ' All settings: baton config list';
  throw new BatonError('USAGE', `Unknown setting: ${name}.${offer}`, suggestion ? { suggestion } : undefined);
}

/** What was typed, as a value of the setting's type. Ranges and patterns are the contract's to judge. */
export function parseValue({ key, type, choices }: ConfigKey, text: string): unknown {
  if (choices && !choices.includes(text)) throw wrong(key, choices.join(', '), text);
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw wrong(key, 'true or false', text);
      return text === 'true';
    case 'integer':
    case 'number':
      return parseNumber(key, type, text);
    case 'array':
      return parseList(key, text);
  }
}

function parseNumber(key: string, type: 'integer' | 'number', text: string): number {
  const value = Number(text);
  const fits = type === 'integer' ? /^-?\d+$/.test(text) : /^-?\d+(\.\d+)?$/.test(text);
  const exact = type === 'number' || Number.isSafeInteger(value);
  if (!fits || !exact) throw wrong(key, type === 'integer' ? 'a whole number' : 'a number', text);
  return value;
}

function parseList(key: string, text: string): unknown {
  if (!text.startsWith('[')) return text.split(',').map((word) => word.trim());
  const read = readJson(text);
  if ('denial' in read) throw wrong(key, 'words with commas between them, or a JSON array', text);
  return read.value;
}

function wrong(key: string, expected: string, text: string): BatonError {
  return new BatonError('USAGE', `${key} takes ${expected}, not ${JSON.stringify(text.slice(0, 60))}.`);
}

export function valueAt(config: object, key: string): unknown {
  return key.split('.').reduce<unknown>((node, name) => (isTree(node) ? node[name] : undefined), config);
}

/** A copy in which `key` has the value. */
export function withValue(config: object, key: string, value: unknown): Tree {
  const [name = '', ...deeper] = key.split('.');
  const tree = { ...config } as Tree;
  const inner = isTree(tree[name]) ? tree[name] : {};
  tree[name] = deeper.length === 0 ? value : withValue(inner, deeper.join('.'), value);
  return tree;
}

function isTree(node: unknown): node is Tree {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

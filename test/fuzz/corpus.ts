/** Everything the fuzzer starts from: schemas, and for each contract its valid example payloads. */

import { readdirSync, readFileSync } from 'node:fs';
import { CONTRACT_NAMES, type ContractName } from '../../src/contracts/contract-names.js';
import { fieldValues } from './field-values.js';
import { type Tree, treeOf } from './json-tree.js';
import type { Material } from './mutate-tree.js';

export type Base = { file: string; tree: Tree; bytes: Uint8Array; value: unknown };
export type SchemaEntry = { name: ContractName; schema: object; alsoKnown: readonly string[] };
export type Corpus = {
  schemas: readonly SchemaEntry[];
  bases: ReadonlyMap<ContractName, readonly Base[]>;
  material: Material;
};

/** Longer examples would make every input slow and find nothing that shorter ones do not. */
const BASE_BYTES_MAX = 6000;

/** `root` is the checkout: the harness may run from a bundle that lies elsewhere. */
export function loadCorpus(root: URL): Corpus {
  const schemas = loadSchemas(root);
  const bases = new Map(CONTRACT_NAMES.map((contract) => [contract, loadBases(root, contract)]));
  const trees = [...bases.values()].flat().map(({ tree }) => tree);
  const pieces = trees.flatMap(piecesOf);
  return { schemas, bases, material: { values: fieldValues(schemas.map(({ schema }) => schema)), pieces } };
}

function loadSchemas(root: URL): SchemaEntry[] {
  const read = (file: string) => JSON.parse(readFileSync(new URL(`schemas/${file}`, root), 'utf8'));
  const { schemas } = read('index.json') as { schemas: { name: ContractName; file: string; also_known?: string[] }[] };
  return schemas.map(({ name, file, also_known = [] }) => ({ name, schema: read(file), alsoKnown: also_known }));
}

function loadBases(root: URL, contract: ContractName): Base[] {
  const folder = new URL(`examples/payloads/${contract}/`, root);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const bases = files.sort().map((file): Base => {
    const value = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    return { file, value, tree: treeOf(value), bytes: new TextEncoder().encode(JSON.stringify(value)) };
  });
  const small = bases.filter(({ bytes }) => bytes.length <= BASE_BYTES_MAX);
  if (small.length === 0) throw new Error(`no example of ${contract} to start from`);
  return small;
}

/** Every field of a payload with its value, to be planted into payloads of other contracts. */
function piecesOf(tree: Tree): { key: string; value: Tree }[] {
  if (tree.kind === 'leaf') return [];
  if (tree.kind === 'list') return tree.items.flatMap(piecesOf);
  return tree.entries.flatMap((entry) => [entry, ...piecesOf(entry.value)]);
}

/** Which input comes next: the same seed and number always give the same one. */

import { CONTRACT_NAMES, type ContractName } from '../../src/contracts/contract-names.js';
import { OPERATOR_CONTRACTS } from '../conformance/second-opinion/second-opinion.js';
import type { Base, Corpus } from './corpus.js';
import { copyOf, type Tree, textOf } from './json-tree.js';
import { garbage, mutateBytes } from './mutate-text.js';
import { mutateTree } from './mutate-tree.js';
import { Random } from './random.js';

export type Input = {
  readonly number: number;
  readonly contract: ContractName;
  readonly payload: string | Uint8Array;
  /** For results: the assignment it is held against. */
  readonly packet: unknown;
};

/** One in this many is large. More would only measure the reader. */
const HUGE_ONE_IN = 4000;
const HUGE_ITEMS = 20_000;

export function inputOf(corpus: Corpus, seed: number, number: number): Input {
  const random = new Random(seed, number);
  const contract = random.chance(0.6) ? random.pick(OPERATOR_CONTRACTS) : random.pick(CONTRACT_NAMES);
  const bases = corpus.bases.get(contract) as readonly Base[];
  const base = random.pick(bases);
  const payload = payloadOf(corpus, random, base);
  const { value: packet } = random.pick(corpus.bases.get('assignment') as readonly Base[]);
  return { number, contract, payload, packet: random.chance(0.5) ? packet : packetFor(base.value, packet as Packet) };
}

type Packet = { task: object };

/** The packet, as if it had asked for the task that the result is about: then its other fields get compared too. */
function packetFor(result: unknown, packet: Packet): unknown {
  const { run_id, task_id, worklog_path } = result as Record<string, unknown>;
  return { ...packet, run_id, task: { ...packet.task, task_id, worklog_path } };
}

function payloadOf(corpus: Corpus, random: Random, base: Base): string | Uint8Array {
  const draw = random.below(100);
  if (random.below(HUGE_ONE_IN) === 0) return textOf(enlarged(base.tree, random));
  if (draw < 78) return textOf(mutateTree(base.tree, random, corpus.material));
  if (draw < 96) {
    const all = [...corpus.bases.values()];
    return mutateBytes(base.bytes, random.pick(random.pick(all)).bytes, random);
  }
  return garbage(random);
}

/** One list becomes very long, or one text; with nothing to enlarge the payload itself is put into a list. */
function enlarged(base: Tree, random: Random): Tree {
  const root: Tree = { kind: 'list', items: [copyOf(base)] };
  const lists = listsIn(root);
  const list = random.pick(lists);
  const item = list.items[0] as Tree;
  const times = 1 + random.below(HUGE_ITEMS);
  for (let count = 0; count < times; count += 1) list.items.push(item);
  return list === root ? root : (root.items[0] as Tree);
}

function listsIn(tree: Tree): { items: Tree[] }[] {
  if (tree.kind === 'leaf') return [];
  if (tree.kind === 'fields') return tree.entries.flatMap(({ value }) => listsIn(value));
  return tree.items.length === 0 ? [] : [tree, ...tree.items.flatMap(listsIn)];
}

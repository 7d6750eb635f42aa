/** Changes to the structure of a payload. Each takes the payload apart a little, none knows what is right. */

import { type FieldValues, TAME_VALUES } from './field-values.js';
import { copyOf, type Fields, type List, leaf, type Slot, slotsOf, type Tree } from './json-tree.js';
import {
  NAUGHTY_LITERALS,
  NAUGHTY_NUMBERS,
  NAUGHTY_PATHS,
  NAUGHTY_TEXTS,
  UNKNOWN_KEYS,
  UNTRUSTED_TEXTS,
} from './naughty.js';
import type { Random } from './random.js';

/** What mutations draw from: plausible values, and pieces of all other payloads. */
export type Material = { values: FieldValues; pieces: readonly { key: string; value: Tree }[] };

type Mutation = (slots: readonly Slot[], random: Random, material: Material) => void;

const isFields = (slot: Slot): boolean => slot.get().kind === 'fields';
const isList = (slot: Slot): boolean => slot.get().kind === 'list';
const isLeaf = (slot: Slot): boolean => slot.get().kind === 'leaf';

/** Applies `change` to a random place of the wanted kind; without such a place nothing happens. */
function somewhere(wanted: (slot: Slot) => boolean, change: (slot: Slot, random: Random, material: Material) => void) {
  const mutation: Mutation = (slots, random, material) => {
    const places = slots.filter(wanted);
    if (places.length > 0) change(random.pick(places), random, material);
  };
  return mutation;
}

const inFields = (change: (fields: Fields, random: Random, material: Material) => void): Mutation =>
  somewhere(isFields, (slot, random, material) => change(slot.get() as Fields, random, material));
const inList = (change: (list: List, random: Random, material: Material) => void): Mutation =>
  somewhere(isList, (slot, random, material) => change(slot.get() as List, random, material));
const replaceLeaf = (literals: readonly string[]): Mutation =>
  somewhere(isLeaf, (slot, random) => slot.set(leaf(random.pick(literals))));

/** Values the schema may well accept, so that the rules get something to judge. */
const plausible: Mutation = somewhere(isLeaf, (slot, random, { values }) => {
  const tame = random.chance(0.4) ? TAME_VALUES.get(slot.name) : undefined;
  const candidates = tame ?? values.get(slot.name);
  if (candidates && candidates.length > 0) slot.set(leaf(random.pick(candidates)));
});

const removeField = inFields(({ entries }, random) => {
  if (entries.length > 0) entries.splice(random.below(entries.length), 1);
});

const addUnknownField = inFields(({ entries }, random) => {
  const literals = random.pick([NAUGHTY_LITERALS, NAUGHTY_NUMBERS, NAUGHTY_TEXTS]);
  entries.splice(random.below(entries.length + 1), 0, {
    key: random.pick(UNKNOWN_KEYS),
    value: leaf(random.pick(literals)),
  });
});

const addForeignField = inFields(({ entries }, random, { pieces }) => {
  const piece = random.pick(pieces);
  if (entries.some(({ key }) => key === piece.key)) return;
  entries.push({ key: piece.key, value: copyOf(piece.value) });
});

const repeatField = inFields(({ entries }, random) => {
  if (entries.length === 0) return;
  const { key, value } = random.pick(entries);
  entries.push({ key: random.chance(0.3) ? respelt(key, random) : key, value: copyOf(value) });
});

const renameField = inFields(({ entries }, random) => {
  if (entries.length === 0) return;
  const entry = random.pick(entries);
  entry.key = random.pick([entry.key.toUpperCase(), `"x_${entry.key.slice(1)}`, respelt(entry.key, random)]);
});

const shuffleFields = inFields(({ entries }, random) => {
  if (entries.length > 1) entries.push(...entries.splice(random.below(entries.length), 1));
});

const repeatItem = inList(({ items }, random) => {
  if (items.length === 0) return;
  const place = random.below(items.length);
  for (let times = random.pick([1, 1, 1, 2, 5]); times > 0; times -= 1) items.push(copyOf(items[place] as Tree));
});

const manyItems = inList(({ items }, random) => {
  if (items.length === 0) return;
  const item = items[random.below(items.length)] as Tree;
  for (let times = random.pick([6, 12, 40]); times > 0; times -= 1) items.push(copyOf(item));
});

/** Many different entries: only long lists reach the code that is made for long lists. */
const manyTameItems = somewhere(isList, (slot, random) => {
  const { items } = slot.get() as List;
  if (items.length === 0) return;
  const item = items[random.below(items.length)] as Tree;
  for (let times = random.pick([3, 8, 12, 24]); times > 0; times -= 1) {
    const one: List = { kind: 'list', items: [copyOf(item)] };
    const slots: Slot[] = [];
    slotsOf(one, slot.name, slots);
    for (const { name, get, set } of slots) {
      const tame = TAME_VALUES.get(name);
      if (tame && get().kind === 'leaf') set(leaf(random.pick(tame)));
    }
    items.push(one.items[0] as Tree);
  }
});

const removeItem = inList(({ items }, random) => {
  if (items.length > 0) items.splice(random.below(items.length), 1);
});

const emptyList = inList(({ items }) => {
  items.length = 0;
});

const addItem = inList(({ items }, random) => {
  items.push(leaf(random.pick(random.pick([NAUGHTY_TEXTS, NAUGHTY_PATHS, NAUGHTY_NUMBERS, NAUGHTY_LITERALS]))));
});

const anywhere = (): boolean => true;
const swapType = somewhere(anywhere, (slot, random) => slot.set(leaf(random.pick(NAUGHTY_LITERALS))));
const wrap = somewhere(anywhere, (slot, random) => {
  let tree = slot.get();
  for (let depth = random.pick([1, 1, 1, 60, 65]); depth > 0; depth -= 1) tree = { kind: 'list', items: [tree] };
  slot.set(tree);
});
const copyElsewhere: Mutation = (slots, random) => {
  if (slots.length > 0) random.pick(slots).set(copyOf(random.pick(slots).get()));
};
/** Values of fields with the same name, so that ids meet each other. */
const copyToNamesake: Mutation = (slots, random) => {
  if (slots.length === 0) return;
  const from = random.pick(slots);
  random.pick(slots.filter(({ name }) => name === from.name)).set(copyOf(from.get()));
};
const respellText = somewhere(isLeaf, (slot, random) => {
  const { text } = slot.get() as { text: string };
  if (text.startsWith('"')) slot.set(leaf(respelt(text, random)));
});

/** The same string in other letters of JSON: one plain letter written as an escape. */
function respelt(quoted: string, random: Random): string {
  const at = 1 + random.below(Math.max(1, quoted.length - 2));
  const letter = quoted[at];
  if (letter === undefined || !/[a-z_]/i.test(letter) || quoted.includes('\\')) return quoted;
  return `${quoted.slice(0, at)}\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}${quoted.slice(at + 1)}`;
}

const GENTLE: readonly Mutation[] = [
  ...[plausible, plausible, plausible, plausible, plausible, copyToNamesake, copyToNamesake, repeatItem, repeatItem],
  ...[manyTameItems, shuffleFields, removeItem, respellText],
];

const HOSTILE: readonly Mutation[] = [
  ...[removeField, removeField, addUnknownField, addUnknownField, addForeignField, repeatField, renameField],
  ...[manyItems, emptyList, addItem, swapType, wrap, copyElsewhere],
  ...[NAUGHTY_NUMBERS, NAUGHTY_PATHS, NAUGHTY_TEXTS, NAUGHTY_LITERALS, UNTRUSTED_TEXTS].map(replaceLeaf),
];

export function mutateTree(base: Tree, random: Random, material: Material): Tree {
  const root: List = { kind: 'list', items: [copyOf(base)] };
  const gentle = random.below(5);
  const hostile = random.chance(0.55) ? 1 + random.below(2) : 0;
  for (let step = 0; step < gentle + hostile; step += 1) {
    const slots: Slot[] = [];
    slotsOf(root, '', slots);
    random.pick(step < gentle ? GENTLE : HOSTILE)(slots, random, material);
  }
  return root.items[0] as Tree;
}

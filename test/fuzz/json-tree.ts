/**
 * JSON as a tree of texts. Unlike parsed values it can say things that parsers swallow: two equal keys, `1.0`,
 * 1e999, an escaped letter.
 */
export type Tree = Leaf | List | Fields;
export type Leaf = { readonly kind: 'leaf'; readonly text: string };
export type List = { readonly kind: 'list'; readonly items: Tree[] };
export type Fields = { readonly kind: 'fields'; readonly entries: Entry[] };
/** `key` is JSON text too, quotes included. */
type Entry = { key: string; value: Tree };

export function leaf(text: string): Leaf {
  return { kind: 'leaf', text };
}

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(treeOf) };
  if (typeof value !== 'object' || value === null) return leaf(JSON.stringify(value) ?? 'null');
  const entries = Object.entries(value).map(([key, inner]) => ({ key: JSON.stringify(key), value: treeOf(inner) }));
  return { kind: 'fields', entries };
}

export function textOf(tree: Tree): string {
  if (tree.kind === 'leaf') return tree.text;
  if (tree.kind === 'list') return `[${tree.items.map(textOf).join(',')}]`;
  return `{${tree.entries.map(({ key, value }) => `${key}:${textOf(value)}`).join(',')}}`;
}

/** Leaves never change and are shared. */
export function copyOf(tree: Tree): Tree {
  if (tree.kind === 'leaf') return tree;
  if (tree.kind === 'list') return { kind: 'list', items: tree.items.map(copyOf) };
  return { kind: 'fields', entries: tree.entries.map(({ key, value }) => ({ key, value: copyOf(value) })) };
}

/** A place that holds a tree, with the name of the field it belongs to; entries of a list have their list's name. */
export type Slot = { readonly name: string; get(): Tree; set(tree: Tree): void };

export function slotsOf(tree: Tree, name: string, found: Slot[]): void {
  if (tree.kind === 'list') {
    for (let index = 0; index < tree.items.length; index += 1) {
      found.push(itemSlot(tree, index, name));
      slotsOf(tree.items[index] as Tree, name, found);
    }
  } else if (tree.kind === 'fields') {
    for (const entry of tree.entries) {
      const field = entry.key.slice(1, -1);
      found.push(entrySlot(entry, field));
      slotsOf(entry.value, field, found);
    }
  }
}

function itemSlot(list: List, index: number, name: string): Slot {
  return {
    name,
    get: () => list.items[index] as Tree,
    set: (tree) => {
      list.items[index] = tree;
    },
  };
}

function entrySlot(entry: Entry, name: string): Slot {
  return {
    name,
    get: () => entry.value,
    set: (tree) => {
      entry.value = tree;
    },
  };
}

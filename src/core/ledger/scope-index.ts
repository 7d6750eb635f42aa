import { foldedResource, ROOT } from '../../contracts/shared/resource.js';

type Node<Entry> = { here: Set<Entry>; below: Map<string, Node<Entry>> };

/** Which entries want which paths: those that overlap some paths are found without looking at the others. */
export class ScopeIndex<Entry> {
  private readonly root: Node<Entry> = emptyNode();

  add(entry: Entry, scope: readonly string[]): void {
    for (const resource of scope) {
      let node = this.root;
      for (const part of scopeParts(resource)) {
        const next = node.below.get(part) ?? emptyNode<Entry>();
        node.below.set(part, next);
        node = next;
      }
      node.here.add(entry);
    }
  }

  delete(entry: Entry, scope: readonly string[]): void {
    for (const resource of scope) {
      const parts = scopeParts(resource);
      const path = [this.root];
      for (const part of parts) {
        const next = path.at(-1)?.below.get(part);
        if (!next) break;
        path.push(next);
      }
      if (path.length <= parts.length) continue;
      path.at(-1)?.here.delete(entry);
      for (let depth = parts.length; depth > 0 && isEmpty(path[depth] as Node<Entry>); depth -= 1) {
        path[depth - 1]?.below.delete(parts[depth - 1] as string);
      }
    }
  }

  /** Each once. */
  overlapping(scope: readonly string[]): Set<Entry> {
    const found = new Set<Entry>();
    for (const resource of scope) {
      let node: Node<Entry> | undefined = this.root;
      for (const part of scopeParts(resource)) {
        for (const entry of node.here) found.add(entry);
        node = node.below.get(part);
        if (!node) break;
      }
      if (node) collect(node, found);
    }
    return found;
  }
}

/** Without recursion: a path may have thousands of parts. */
function collect<Entry>(from: Node<Entry>, found: Set<Entry>): void {
  const open = [from];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const entry of node.here) found.add(entry);
    open.push(...node.below.values());
  }
}

export function scopeParts(resource: string): readonly string[] {
  const folded = foldedResource(resource);
  return folded === ROOT ? [] : folded.split('/');
}

function isEmpty({ here, below }: Node<unknown>): boolean {
  return here.size === 0 && below.size === 0;
}

function emptyNode<Entry>(): Node<Entry> {
  return { here: new Set(), below: new Map() };
}

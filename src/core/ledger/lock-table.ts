import { scopeParts } from './scope-index.js';

export type HeldPath = { task: string; resource: string };
type Node = {
  /** Who has this path and everything below it. */
  held: HeldPath | null;
  /** How many have something here or below. */
  within: number;
  below: Map<string, Node>;
};

/** Which task has which paths, as a tree of their parts: whether one is free takes as many steps as it has parts. */
export class LockTable {
  private readonly root: Node = emptyNode();
  private readonly ofTask = new Map<string, readonly string[]>();

  /** The first of the paths that somebody else has, is inside, or has something of. */
  conflict(task: string, resources: readonly string[]): { resource: string; with: HeldPath } | undefined {
    for (const resource of resources) {
      const held = this.foreignAt(task, scopeParts(resource));
      if (held) return { resource, with: held };
    }
    return undefined;
  }

  /** Whoever takes has asked whether they are free. */
  take(task: string, resources: readonly string[]): void {
    this.ofTask.set(task, resources);
    for (const resource of resources) {
      let node = this.root;
      node.within += 1;
      for (const part of scopeParts(resource)) {
        node = childOf(node, part);
        node.within += 1;
      }
      node.held = { task, resource };
    }
  }

  release(task: string): void {
    for (const resource of this.ofTask.get(task) ?? []) this.forget(scopeParts(resource));
    this.ofTask.delete(task);
  }

  /** In the order in which they were taken. */
  *all(): Generator<HeldPath> {
    for (const [task, resources] of this.ofTask) for (const resource of resources) yield { task, resource };
  }

  get size(): number {
    return this.root.within;
  }

  private foreignAt(task: string, parts: readonly string[]): HeldPath | undefined {
    let node: Node | undefined = this.root;
    for (const part of parts) {
      if (node.held && node.held.task !== task) return node.held;
      node = node.below.get(part);
      if (!node) return undefined;
    }
    return foreignIn(task, node);
  }

  private forget(parts: readonly string[]): void {
    const path = [this.root];
    for (const part of parts) path.push(path.at(-1)?.below.get(part) as Node);
    const last = path.at(-1) as Node;
    last.held = null;
    for (const [depth, node] of path.entries()) {
      node.within -= 1;
      const parent = path[depth - 1];
      if (node.within === 0 && parent) parent.below.delete(parts[depth - 1] as string);
    }
  }
}

/** Any that is somebody else's at a node or below; what is one's own is stepped over. */
function foreignIn(task: string, from: Node): HeldPath | undefined {
  const open = [from];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.held && node.held.task !== task) return node.held;
    open.push(...node.below.values());
  }
  return undefined;
}

function childOf(node: Node, part: string): Node {
  const known = node.below.get(part);
  if (known) return known;
  const made = emptyNode();
  node.below.set(part, made);
  return made;
}

function emptyNode(): Node {
  return { held: null, within: 0, below: new Map() };
}

import { processSource } from './process-source.js';
import type { ProcessTree } from './process-tree.js';

/**
 * Looks at the process list while something runs, so that a descendant is known before it can hide: one that clears
 * its environment and becomes a daemon is found by nothing else. A daemon that does all this between two looks is
 * missed; only the pid namespace of the sandbox closes that gap.
 */
const LOOK_EVERY_MS = 250;

const watched = new Set<ProcessTree>();
let timer: NodeJS.Timeout | undefined;

/** One look serves all trees of this process. Returns what stops the watching. */
export function watchTree(tree: ProcessTree): () => void {
  watched.add(tree);
  timer ??= setInterval(look, LOOK_EVERY_MS).unref();
  return () => {
    watched.delete(tree);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Trees of running processes that the target covers. */
export function watchedTrees({ scope, run, handoff }: ProcessTree['target']): ProcessTree[] {
  return [...watched].filter(
    ({ target }) =>
      target.scope === scope && target.run === run && (handoff === undefined || target.handoff === handoff),
  );
}

function look(): void {
  const snapshot = processSource.snapshot();
  for (const tree of watched) tree.members(snapshot);
}

import { processSource } from './process-source.js';
import type { ProcessTree } from './process-tree.js';

/**
 * Looks at the process list while something runs, so that a descendant is known before it can hide: one that clears
 * its environment and becomes a daemon is found by nothing else. A daemon that does all this between two looks is
 * missed; only the pid namespace of the sandbox closes that gap.
 */
const LOOK_EVERY_MS = 250;
/** On a machine with very many processes looking takes longer, and is then done less often. */
const LOOK_SHARE_MAX = 0.02;

const watched = new Set<ProcessTree>();
let timer: NodeJS.Timeout | undefined;

/** One look serves all trees of this process. Returns what stops the watching. */
export function watchTree(tree: ProcessTree): () => void {
  watched.add(tree);
  timer ??= setTimeout(look, LOOK_EVERY_MS).unref();
  return () => {
    watched.delete(tree);
    if (watched.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

/** Trees of running processes that the target covers. */
export function watchedTrees({ scope, run, handoff, spawn }: ProcessTree['target']): ProcessTree[] {
  return [...watched].filter(
    ({ target }) =>
      target.scope === scope &&
      target.run === run &&
      (handoff === undefined || target.handoff === handoff) &&
      (spawn === undefined || target.spawn === spawn),
  );
}

function look(): void {
  const from = performance.now();
  const snapshot = processSource.snapshot();
  for (const tree of watched) tree.members(snapshot);
  const tookMs = performance.now() - from;
  timer = setTimeout(look, Math.max(LOOK_EVERY_MS, tookMs / LOOK_SHARE_MAX)).unref();
}

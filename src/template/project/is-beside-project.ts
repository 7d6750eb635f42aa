const BESIDE = /^(?:examples?|samples?|demos?|docs?|templates|benchmarks?|bench|scripts|tools)\//i;

/** Stands beside the project rather than being a part of it: it says little about how the project is built. */
export function isBesideProject(path: string): boolean {
  return BESIDE.test(path);
}

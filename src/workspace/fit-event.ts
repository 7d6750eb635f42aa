/** An event holds 64 KiB. What is said of a workspace must fit into one with room to spare, however many files it has. */
const LIST_BYTES_MAX = 12 * 1024;

/** The first of a list whose JSON fits. */
export function fitting<Item>(items: readonly Item[], bytesMax = LIST_BYTES_MAX): Item[] {
  const kept: Item[] = [];
  let bytes = 2;
  for (const item of items) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > bytesMax) break;
    kept.push(item);
  }
  return kept;
}

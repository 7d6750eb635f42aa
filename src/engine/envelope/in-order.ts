/** So many are at work at once; what is read ahead is no more than that. */
const AT_ONCE = 16;

/** What comes of each, in the order in which they came, whoever was faster. */
export async function* inOrder<In, Out>(
  inputs: AsyncIterable<In> | Iterable<In>,
  work: (input: In) => Promise<Out>,
): AsyncIterable<Out> {
  const pending: Promise<Out>[] = [];
  for await (const input of inputs) {
    const one = work(input);
    // Its failure is told when it is its turn.
    one.catch(() => undefined);
    pending.push(one);
    if (pending.length >= AT_ONCE) yield await (pending.shift() as Promise<Out>);
  }
  for (const one of pending) yield await one;
}

/** Every place of the payload, both as it is and with `*` for any of its steps that no schema names. */
export function* placesIn(value: unknown, path = ''): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [step, inner] of Object.entries(value)) {
    for (const name of Array.isArray(value) ? ['*'] : [step, '*']) {
      yield `${path}/${name}`;
      yield* placesIn(inner, `${path}/${name}`);
    }
  }
}

/** Every place inside a packet that can be changed, with the name of the field it belongs to. */
export type Place = {
  /** Entries of a list have their list's name. */
  readonly name: string;
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
};

export type Holder = { root: unknown };

export function placesIn(holder: Holder): Place[] {
  const found: Place[] = [];
  collect(holder.root, { name: '', holder: holder as Record<string, unknown>, key: 'root' }, found);
  return found;
}

function collect(value: unknown, place: Place, found: Place[]): void {
  found.push(place);
  if (Array.isArray(value)) {
    for (let key = 0; key < value.length; key += 1)
      collect(value[key], { name: place.name, holder: value, key }, found);
  } else if (typeof value === 'object' && value !== null) {
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) collect(holder[key], { name: key, holder, key }, found);
  }
}

export function get({ holder, key }: Place): unknown {
  return (holder as Record<string | number, unknown>)[key];
}

export function set({ holder, key }: Place, value: unknown): void {
  (holder as Record<string | number, unknown>)[key] = value;
}

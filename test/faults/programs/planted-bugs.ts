import type { Append, Appended, EventStore } from '../../../src/engine/ports.js';

/** Bugs that a harness must catch, put in at the port. Bugs inside the store are put in when it is built. */
export type PlantedBug = 'acknowledges-early' | 'forgets-keys' | 'leaves-agents' | 'swallows-failures' | 'drops-some';

/** Long enough for a kill to fall between the acknowledgement and the write. */
const BEHIND_MS = 15;
const DROPPED_EVERY = 100;

export function plantBug<Store extends EventStore>(store: Store, bug: PlantedBug | null): Store {
  switch (bug) {
    case 'acknowledges-early':
      return overriding(store, { append: async (group) => writeBehind(store, group) });
    case 'forgets-keys':
      return overriding(store, {
        append: (group) => store.append(group.map(({ dedupe: _, ...rest }) => rest)),
        recorded: async () => undefined,
      });
    case 'swallows-failures':
      return overriding(store, {
        append: (group) => store.append(group).catch(() => group.map(assumed)),
      });
    case 'drops-some':
      return overriding(store, { append: dropping(store) });
    case 'leaves-agents':
    case null:
      return store;
  }
}

/** The same store with some methods replaced. Its own methods see it as it is: private members have no heirs. */
export function overriding<Store extends EventStore>(store: Store, changes: Partial<EventStore>): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(Object.hasOwn(changes, name) ? changes : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function writeBehind(store: EventStore, group: readonly Append[]): readonly Appended[] {
  setTimeout(() => void store.append(group).catch(() => undefined), BEHIND_MS);
  return group.map(assumed);
}

function dropping(store: EventStore): EventStore['append'] {
  let count = 0;
  return async (group) => {
    count += 1;
    return count % DROPPED_EVERY === 0 ? group.map(assumed) : store.append(group);
  };
}

function assumed({ expected, events }: Append): Appended {
  return { type: 'appended', version: expected + events.length, position: 0 };
}

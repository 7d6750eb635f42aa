import { MASK } from './mask.js';

/** The same value with all its strings and keys cleaned. Takes what JSON.parse makes and may change it. */
export function cleanJson(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  // Loops rather than callbacks: each level takes one frame, so that what can be serialised can be cleaned.
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let index = 0; index < items.length; index += 1) items[index] = cleanJson(items[index], clean);
  if (Array.isArray(value)) return items;
  const keys = cleanKeys(Object.keys(value), clean);
  return Object.fromEntries(items.map((item, index) => [keys[index], item]));
}

/** Two keys that were different stay so: a field that vanished would be another event. */
function cleanKeys(keys: readonly string[], clean: (text: string) => string): string[] {
  const cleaned = keys.map(clean);
  const taken = new Set(keys.filter((key, index) => key === cleaned[index]));
  let count = 2;
  return cleaned.map((key, index) => {
    if (key === keys[index]) return key;
    let name = key;
    for (; taken.has(name); count += 1) name = numbered(count);
    taken.add(name);
    return name;
  });
}

function numbered(count: number): string {
  const suffix = `~${count}`;
  return MASK.slice(0, MASK.length - suffix.length) + suffix;
}

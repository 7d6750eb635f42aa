import { MASK } from './mask.js';

/** The same value with all its strings and keys cleaned. Takes what JSON.parse makes. */
export function cleanJson(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, clean));
  const keys = cleanKeys(Object.keys(value), clean);
  return Object.fromEntries(Object.values(value).map((item, index) => [keys[index], cleanJson(item, clean)]));
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

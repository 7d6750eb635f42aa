/** Makes a failing payload smaller while it keeps failing in the same way. Bounded: a rough result is good enough. */

const TRIES_MAX = 3000;

type Payload = string | Uint8Array;

export function shrink(payload: Payload, stillFails: (smaller: Payload) => boolean): Payload {
  let tries = 0;
  const fails = (smaller: Payload): boolean => {
    tries += 1;
    return tries <= TRIES_MAX && stillFails(smaller);
  };
  const text = typeof payload === 'string' ? payload : asText(payload);
  const start = text !== undefined && fails(text) ? text : payload;
  const byValue = typeof start === 'string' ? shrinkValue(start, fails) : start;
  return typeof byValue === 'string' ? shrinkText(byValue, fails) : shrinkBytes(byValue, fails);
}

function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Takes fields and entries away from what the text means. Texts that mean nothing are left alone. */
function shrinkValue(text: string, fails: (smaller: string) => boolean): string {
  let best = text;
  try {
    if (!fails(JSON.stringify(JSON.parse(text)))) return text;
    best = JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
  for (let found = true; found; ) {
    found = false;
    for (const smaller of smallerValues(JSON.parse(best))) {
      const candidate = JSON.stringify(smaller);
      if (candidate.length >= best.length || !fails(candidate)) continue;
      best = candidate;
      found = true;
      break;
    }
  }
  return best;
}

function* smallerValues(value: unknown): Iterable<unknown> {
  if (typeof value === 'string' && value.length > 1) {
    yield value.slice(0, value.length >> 1);
    yield value.slice(value.length >> 1);
  }
  if (Array.isArray(value)) {
    if (value.length > 3) yield value.slice(0, value.length >> 1);
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, inner] of value.entries()) {
      for (const smaller of smallerValues(inner)) yield value.with(index, smaller);
    }
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const [key] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== key));
    for (const [key, inner] of entries) for (const smaller of smallerValues(inner)) yield { ...value, [key]: smaller };
  }
}

function shrinkText(text: string, fails: (smaller: string) => boolean): string {
  return cutChunks([...text], (letters) => fails(letters.join(''))).join('');
}

function shrinkBytes(bytes: Uint8Array, fails: (smaller: Uint8Array) => boolean): Uint8Array {
  return Uint8Array.from(cutChunks([...bytes], (fewer) => fails(Uint8Array.from(fewer))));
}

function cutChunks<T>(items: T[], fails: (fewer: T[]) => boolean): T[] {
  let best = items;
  for (let size = best.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at + size <= best.length; ) {
      const fewer = best.toSpliced(at, size);
      if (fails(fewer)) best = fewer;
      else at += size;
    }
  }
  return best;
}

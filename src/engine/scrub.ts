/**
 * The one choke point before anything is stored, logged or shown. `Scrubbed` can only be made here, so text that was
 * not scrubbed does not fit where text is persisted: forgetting it does not compile.
 */

declare const scrubbed: unique symbol;
export type Scrubbed = string & { readonly [scrubbed]: true };

const MASK = '[secret]';
/** Shorter values would be found inside ordinary words. */
const VALUE_LENGTH_MIN = 8;

/** Shapes of common credentials. Each is linear and matches only the secret itself. */
const SHAPES: readonly RegExp[] = [
  /AKIA[0-9A-Z]{16}/g,
  /sk-ant-[A-Za-z0-9_-]{16,}/g,
  /sk-[A-Za-z0-9_-]{20,}/g,
  /gh[pousr]_[A-Za-z0-9]{20,}/g,
  /github_pat_[A-Za-z0-9_]{20,}/g,
  /xox[abprs]-[A-Za-z0-9-]{10,}/g,
  /AIza[A-Za-z0-9_-]{35}/g,
  // Only at the beginning of a word: from every place inside one it would be quadratic.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[^-]*-----END [A-Z0-9 ]*PRIVATE KEY-----/g,
];

export type Scrub = (text: string) => Scrubbed;

/** `values` are secrets known by value: from the environment, the configuration, tokens. */
export function createScrub(values: Iterable<string>): Scrub {
  const known = [...new Set([...values].filter((value) => value.length >= VALUE_LENGTH_MIN).flatMap(spellings))]
    // The longest first, so that a spelling inside another one does not leave half of it behind.
    .sort((one, other) => other.length - one.length);
  return (text) => {
    let clean = text;
    for (const value of known) if (clean.includes(value)) clean = clean.replaceAll(value, maskFor(value));
    for (const shape of SHAPES) clean = clean.replace(shape, maskFor);
    return clean as Scrubbed;
  };
}

/** Never longer than what it replaces, so that a text at its limit stays within it. */
function maskFor(secret: string): string {
  return secret.length >= MASK.length ? MASK : '*'.repeat(secret.length);
}

/** How a value may be spelt in what agents and programs write. */
function spellings(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const json = JSON.stringify(value).slice(1, -1);
  return [value, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(value), base64(bytes), hex(bytes)].filter(
    (spelling) => spelling.length >= VALUE_LENGTH_MIN,
  );
}

/** Without the last characters, which depend on what follows. */
function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/=+$/, '')
    .slice(0, Math.floor((bytes.length * 4) / 3));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

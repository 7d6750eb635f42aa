/** A second opinion on the text itself: what SPEC and TRUST.md refuse although JSON.parse would take it. */

export type Reading = { value: unknown } | { code: 'SCHEMA_INVALID' | 'MISSING_REQUIRED_INPUT' | 'PAYLOAD_TOO_LARGE' };

const DEEPEST = 64;
const refused: Reading = { code: 'SCHEMA_INVALID' };

export function secondReading(input: string | Uint8Array, bytesMax: number): Reading {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input).length : input.length;
  if (bytes > bytesMax) return { code: 'PAYLOAD_TOO_LARGE' };
  let text: string;
  let value: unknown;
  try {
    text = typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
    if (/^[ \t\r\n]*$/.test(text)) return { code: 'MISSING_REQUIRED_INPUT' };
    value = JSON.parse(text);
  } catch {
    return refused;
  }
  return isTreacherous(text) ? refused : { value };
}

/** Quoted strings, numbers and marks of a text that is known to be JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*|[{}[\],:]/g;

function isTreacherous(text: string): boolean {
  /** One entry per open bracket: the keys seen so far, or nothing in a list. */
  const open: (Set<string> | undefined)[] = [];
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined);
    if (token === '}' || token === ']') open.pop();
    if (open.length > DEEPEST) return true;
    if (token.startsWith('"')) {
      const keys = previous === '{' || previous === ',' ? open.at(-1) : undefined;
      if (isTreacherousString(token, keys)) return true;
    } else if (/[0-9]/.test(token) && !survives(token)) return true;
    previous = token;
  }
  return false;
}

function isTreacherousString(token: string, keys: Set<string> | undefined): boolean {
  const word = JSON.parse(token) as string;
  if (word.includes('\u0000') || !isWhole(token) || !isWhole(word)) return true;
  if (!keys) return false;
  if (keys.has(word) || word === '__proto__' || word === 'constructor') return true;
  keys.add(word);
  return false;
}

/** No half of a character, neither in what was read nor as it was written. */
function isWhole(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function survives(token: string): boolean {
  const number = Number(token);
  const written = /^-?[0-9]+$/.test(token);
  return Number.isFinite(number) && (!written || Number.isSafeInteger(number));
}

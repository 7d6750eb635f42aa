/**
 * The one reader of JSON from outside. It accepts exactly RFC 8259 and refuses, by name and place, what parsers
 * disagree about: duplicate keys, lone surrogates, numbers that do not survive, keys that reach prototypes.
 *
 * R1 The scan checks the whole grammar itself; JSON.parse only builds the value afterwards.
 * R2 One pass, no backtracking, recursion bounded by DEPTH_MAX.
 */

import { type Denial, deny } from './verdict.js';

export const BYTES_MAX = 2 * 1024 * 1024;
export const DEPTH_MAX = 64;

/** What is wrong with the text itself, before any contract is asked. */
export type JsonProblem =
  | 'empty'
  | 'syntax'
  | 'utf8'
  | 'bom'
  | 'depth'
  | 'duplicate-key'
  | 'forbidden-key'
  | 'lone-surrogate'
  | 'nul'
  | 'number-range';

export type ReadResult = { value: unknown } | { denial: Denial };

export function readJson(input: string | Uint8Array, bytesMax: number = BYTES_MAX): ReadResult {
  const bytes = byteLength(input, bytesMax);
  if (bytes > bytesMax) return tooLarge(bytes, bytesMax);
  let text: string;
  try {
    text = typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    return refused('utf8', 'the input is not valid UTF-8');
  }
  try {
    new Scanner(text).document();
    return { value: JSON.parse(text) };
  } catch (problem) {
    if (problem instanceof ScanError) return refused(problem.kind, problem.message, problem.place);
    return refused('syntax', 'the input is not JSON');
  }
}

/** UTF-8 needs at most three bytes for each unit of a string, so only long ones are counted exactly. */
function byteLength(input: string | Uint8Array, bytesMax: number): number {
  if (typeof input !== 'string' || input.length > bytesMax || input.length * 3 <= bytesMax) return input.length;
  return new TextEncoder().encode(input).length;
}

function tooLarge(bytes: number, bytesMax: number): ReadResult {
  return { denial: deny('PAYLOAD_TOO_LARGE', `the input has ${bytes} bytes`, { bytes, bytes_max: bytesMax }) };
}

type Place = { line: number; column: number };

function refused(problem: JsonProblem, reason: string, place?: Place): ReadResult {
  const where = place ? ` (line ${place.line}, column ${place.column})` : '';
  const code = problem === 'empty' ? 'MISSING_REQUIRED_INPUT' : 'SCHEMA_INVALID';
  return { denial: deny(code, reason + where, { problem, ...place }) };
}

class ScanError extends Error {
  readonly kind: JsonProblem;
  readonly place: Place;

  constructor(kind: JsonProblem, message: string, text: string, offset: number) {
    super(message);
    this.kind = kind;
    const before = text.slice(0, offset);
    const lastBreak = before.lastIndexOf('\n');
    this.place = { line: before.split('\n').length, column: offset - lastBreak };
  }
}

export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor']);
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPED = 'bfnrt"\\/';

class Scanner {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  document(): void {
    if (this.text.charCodeAt(0) === 0xfeff) this.fail('bom', 'the input begins with a byte order mark');
    this.space();
    if (this.at >= this.text.length) this.fail('empty', 'the input is empty');
    this.value(1);
    this.space();
    if (this.at < this.text.length) this.fail('syntax', `${this.seen()} follows the JSON value`);
  }

  private value(depth: number): void {
    const first = this.text[this.at];
    if (first === '{') this.object(depth);
    else if (first === '[') this.array(depth);
    else if (first === '"') this.string();
    else if (first === 't') this.word('true');
    else if (first === 'f') this.word('false');
    else if (first === 'n') this.word('null');
    else this.number();
  }

  private object(depth: number): void {
    this.bound(depth);
    this.at += 1;
    this.space();
    if (this.take('}')) return;
    const keys = new Set<string>();
    do {
      this.space();
      this.key(keys);
      this.space();
      if (!this.take(':')) this.fail('syntax', `expected ":" but found ${this.seen()}`);
      this.space();
      this.value(depth + 1);
      this.space();
    } while (this.take(','));
    if (!this.take('}')) this.fail('syntax', `expected "," or "}" but found ${this.seen()}`);
  }

  private key(keys: Set<string>): void {
    const start = this.at;
    if (this.text[start] !== '"') this.fail('syntax', `expected a key in quotes but found ${this.seen()}`);
    const escaped = this.string();
    const key = escaped
      ? (JSON.parse(this.text.slice(start, this.at)) as string)
      : this.text.slice(start + 1, this.at - 1);
    if (FORBIDDEN_KEYS.has(key)) this.fail('forbidden-key', `the key "${key}" is not allowed`, start);
    if (keys.has(key)) this.fail('duplicate-key', `the key ${JSON.stringify(shorten(key))} stands twice`, start);
    keys.add(key);
  }

  private array(depth: number): void {
    this.bound(depth);
    this.at += 1;
    this.space();
    if (this.take(']')) return;
    do {
      this.space();
      this.value(depth + 1);
      this.space();
    } while (this.take(','));
    if (!this.take(']')) this.fail('syntax', `expected "," or "]" but found ${this.seen()}`);
  }

  /** Leaves `at` behind the closing quote; says whether an escape was seen. */
  private string(): boolean {
    const { text } = this;
    let escaped = false;
    this.at += 1;
    for (;;) {
      const unit = text.charCodeAt(this.at);
      if (unit === QUOTE) {
        this.at += 1;
        return escaped;
      }
      if (unit === BACKSLASH) {
        escaped = true;
        this.escape();
      } else if (unit >= 0xd800 && unit <= 0xdfff) {
        if (!isPair(unit, text.charCodeAt(this.at + 1))) this.fail('lone-surrogate', 'a string holds half a character');
        this.at += 2;
      } else if (unit >= 0x20) {
        this.at += 1;
      } else if (unit === 0) {
        this.fail('nul', 'a string holds U+0000');
      } else if (this.at >= text.length) {
        this.fail('syntax', 'the input ends inside a string');
      } else {
        this.fail('syntax', 'a string holds a raw control character');
      }
    }
  }

  private escape(): void {
    const kind = this.text[this.at + 1];
    if (kind !== 'u') {
      if (kind === undefined || !ESCAPED.includes(kind)) this.fail('syntax', 'a string holds an unknown escape');
      this.at += 2;
      return;
    }
    const unit = this.unicodeEscape(this.at);
    if (unit === 0) this.fail('nul', 'a string holds U+0000');
    if (unit < 0xd800 || unit > 0xdfff) {
      this.at += 6;
      return;
    }
    const paired = this.text.startsWith('\\u', this.at + 6) && isPair(unit, this.unicodeEscape(this.at + 6));
    if (!paired) this.fail('lone-surrogate', 'a string holds half a character');
    this.at += 12;
  }

  private unicodeEscape(from: number): number {
    const digits = this.text.slice(from + 2, from + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail('syntax', 'a string holds a broken \\u escape', from);
    return Number.parseInt(digits, 16);
  }

  private number(): void {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (!match) this.fail('syntax', `expected a JSON value but found ${this.seen()}`);
    const [literal, fraction, exponent] = match;
    const value = Number(literal);
    const integer = fraction === undefined && exponent === undefined;
    if (!Number.isFinite(value) || (integer && !Number.isSafeInteger(value))) {
      this.fail('number-range', `the number ${shorten(literal)} cannot be kept exactly`);
    }
    this.at += literal.length;
  }

  private word(word: string): void {
    if (!this.text.startsWith(word, this.at)) this.fail('syntax', `expected a JSON value but found ${this.seen()}`);
    this.at += word.length;
  }

  private space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at += 1;
    }
  }

  private take(mark: string): boolean {
    if (this.text[this.at] !== mark) return false;
    this.at += 1;
    return true;
  }

  private bound(depth: number): void {
    if (depth > DEPTH_MAX) this.fail('depth', `the value is nested deeper than ${DEPTH_MAX}`);
  }

  private seen(): string {
    const found = this.text[this.at];
    return found === undefined ? 'the end of the input' : JSON.stringify(found);
  }

  private fail(kind: JsonProblem, message: string, offset: number = this.at): never {
    throw new ScanError(kind, message, this.text, offset);
  }
}

function isPair(high: number, low: number): boolean {
  return high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

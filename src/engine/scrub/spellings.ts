import type { Needle } from './value-finder.js';

/** How programs write JSON: which characters they escape beyond those they must. */
const JSON_WRITERS: readonly ((value: string) => string)[] = [
  jsonEscaped,
  (value) => unicodeEscaped(jsonEscaped(value), /[^ -~]/g), // Python
  (value) => unicodeEscaped(jsonEscaped(value), /[<>&\u2028\u2029]/g), // Go
  (value) => unicodeEscaped(jsonEscaped(value).replaceAll('/', '\\/'), /[^ -~]/g), // PHP
];

/** What is kept as it is in a URL, besides letters and digits, and what becomes of a space. */
const URL_WRITERS: readonly { kept: string; space: string }[] = [
  { kept: "-_.!~*'()", space: '%20' }, // encodeURIComponent
  { kept: '-_.~', space: '%20' }, // RFC 3986
  { kept: '-_.~', space: '+' }, // Go
  { kept: '-_.~/', space: '%20' }, // Python
  { kept: '-_.*', space: '+' }, // a form
  { kept: "-_.~!$%&'()*+,", space: '%20' }, // the password in a URL
];

const LETTER_OR_DIGIT = /[A-Za-z0-9]/;

/** How a value may be spelt in what agents and programs write. */
export function spellingsOf(value: string): Needle[] {
  const bytes = new TextEncoder().encode(value);
  const json = JSON_WRITERS.map((write) => write(value));
  const jsonTwice = json.map(jsonEscaped);
  const url = URL_WRITERS.map(({ kept, space }) => percentEncoded(bytes, kept, space));
  const hex = Array.from(bytes, hexByte).join('');
  const whole = [
    ...[value, ...json, ...jsonTwice, ...jsonTwice.map(jsonEscaped)],
    ...[...url, ...url.map(lowerCaseHex), hex, hex.toUpperCase()],
  ];
  const inPart = ([0, 1, 2] as const).map((phase) => base64At(bytes, phase));
  return [
    ...[...new Set(whole)].map((text): Needle => ({ text, before: 0, after: 0 })),
    ...inPart,
    ...inPart.filter(({ text }) => /[+/]/.test(text)).map((needle) => ({ ...needle, text: base64Url(needle.text) })),
  ];
}

export function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unicodeEscaped(text: string, which: RegExp): string {
  return text.replace(which, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function percentEncoded(bytes: Uint8Array, kept: string, space: string): string {
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (LETTER_OR_DIGIT.test(character) || kept.includes(character)) return character;
    return character === ' ' ? space : `%${hexByte(byte).toUpperCase()}`;
  }).join('');
}

function lowerCaseHex(url: string): string {
  return url.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/**
 * The characters that depend on the value alone when `phase` bytes of a group of three stand before it, as a user's name
 * does. Those at the ends also depend on what is around.
 */
function base64At(bytes: Uint8Array, phase: 0 | 1 | 2): Needle {
  const padded = [...new Uint8Array(phase), ...bytes, 0, 0];
  const bits = (phase + bytes.length) * 8;
  const text = btoa(padded.map((byte) => String.fromCharCode(byte)).join(''));
  return {
    text: text.slice(Math.ceil((phase * 8) / 6), Math.floor(bits / 6)),
    before: phase === 0 ? 0 : 1,
    after: bits % 6 === 0 ? 0 : 1,
  };
}

function base64Url(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

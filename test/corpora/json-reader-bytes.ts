import type { Expectation, ReaderCase } from './json-reader.js';

const MEBIBYTE = 1024 * 1024;
const BYTES_MAX = 2 * MEBIBYTE;

/** A string in quotes whose bytes are given, so that text no encoder would write can be told. */
function quoted(...inside: readonly number[]): Uint8Array {
  return Uint8Array.from([0x22, ...inside, 0x22]);
}

function bytes(name: string, expect: Expectation, input: Uint8Array): ReaderCase {
  return { name, expect, input: () => input };
}

function text(name: string, expect: Expectation, build: () => string): ReaderCase {
  return { name, expect, input: build };
}

const padded = (length: number): string => `"${'a'.repeat(length - 2)}"`;
const utf8 = (input: string): Uint8Array => new TextEncoder().encode(input);

/** Cases told in bytes, and cases too large to be written down. */
export const BYTE_CASES: readonly ReaderCase[] = [
  bytes('y_bytes_ascii', 'accepted', utf8('{"a":1}')),
  bytes('y_bytes_two', 'accepted', quoted(0xc3, 0xa9)),
  bytes('y_bytes_three', 'accepted', quoted(0xe2, 0x82, 0xac)),
  bytes('y_bytes_four', 'accepted', quoted(0xf0, 0x9f, 0x98, 0x80)),
  bytes('y_bytes_highest_code_point', 'accepted', quoted(0xf4, 0x8f, 0xbf, 0xbf)),
  bytes('y_bytes_bom_inside_string', 'accepted', quoted(0x61, 0xef, 0xbb, 0xbf)),
  bytes('y_bytes_line_separator_in_string', 'accepted', quoted(0xe2, 0x80, 0xa8)),
  bytes('n_bytes_empty', 'empty', new Uint8Array()),
  bytes('n_bytes_only_newlines', 'empty', utf8('\n\r\n')),
  bytes('n_bytes_ff', 'utf8', quoted(0xff)),
  bytes('n_bytes_fe', 'utf8', quoted(0xfe)),
  bytes('n_bytes_lone_continuation', 'utf8', quoted(0x80)),
  bytes('n_bytes_two_continuations', 'utf8', quoted(0x80, 0xbf)),
  bytes('n_bytes_latin_1', 'utf8', quoted(0xe9)),
  bytes('n_bytes_cut_two', 'utf8', quoted(0xc3)),
  bytes('n_bytes_cut_three', 'utf8', quoted(0xe2, 0x82)),
  bytes('n_bytes_cut_four', 'utf8', quoted(0xf0, 0x9f, 0x98)),
  bytes('n_bytes_cut_by_end', 'utf8', Uint8Array.from([0x22, 0xf0, 0x9f])),
  bytes('n_bytes_overlong_slash_two', 'utf8', quoted(0xc0, 0xaf)),
  bytes('n_bytes_overlong_slash_three', 'utf8', quoted(0xe0, 0x80, 0xaf)),
  bytes('n_bytes_overlong_slash_four', 'utf8', quoted(0xf0, 0x80, 0x80, 0xaf)),
  bytes('n_bytes_overlong_nul', 'utf8', quoted(0xc0, 0x80)),
  bytes('n_bytes_overlong_quote', 'utf8', quoted(0xc0, 0xa2)),
  bytes('n_bytes_surrogate_high', 'utf8', quoted(0xed, 0xa0, 0xbd)),
  bytes('n_bytes_surrogate_low', 'utf8', quoted(0xed, 0xb8, 0x80)),
  bytes('n_bytes_surrogate_pair_as_cesu', 'utf8', quoted(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)),
  bytes('n_bytes_above_highest_code_point', 'utf8', quoted(0xf4, 0x90, 0x80, 0x80)),
  bytes('n_bytes_five_byte_form', 'utf8', quoted(0xf8, 0x88, 0x80, 0x80, 0x80)),
  bytes('n_bytes_bad_outside_string', 'utf8', Uint8Array.from([0x7b, 0x7d, 0xff])),
  bytes('n_bytes_bad_key', 'utf8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  bytes('n_bytes_utf16_little_endian', 'utf8', Uint8Array.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0])),
  bytes('n_bytes_utf16_big_endian', 'utf8', Uint8Array.from([0xfe, 0xff, 0, 0x7b, 0, 0x7d])),
  bytes('n_bytes_utf16_without_mark', 'syntax', Uint8Array.from([0x7b, 0, 0x7d, 0])),
  bytes('n_bytes_line_separator_outside', 'syntax', Uint8Array.from([0xe2, 0x80, 0xa8, 0x7b, 0x7d])),
  bytes('n_bytes_raw_nul_in_string', 'nul', quoted(0x61, 0x00)),
  bytes('n_bytes_gzip', 'utf8', Uint8Array.from([0x1f, 0x8b, 0x08, 0x00])),
  bytes('i_bytes_bom', 'bom', Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])),
  bytes('i_bytes_escaped_surrogate', 'lone-surrogate', utf8('"\\uD800"')),
  bytes('i_bytes_duplicate_key', 'duplicate-key', utf8('{"a":1,"\\u0061":2}')),
  text('i_size_2_mib_exactly', 'accepted', () => padded(BYTES_MAX)),
  text('i_size_2_mib_and_one', 'too-large', () => padded(BYTES_MAX + 1)),
  text('i_size_3_mib_of_spaces', 'too-large', () => ' '.repeat(3 * MEBIBYTE)),
  { name: 'i_size_2_mib_exactly_as_bytes', expect: 'accepted', input: () => utf8(padded(BYTES_MAX)) },
  { name: 'i_size_2_mib_and_one_as_bytes', expect: 'too-large', input: () => utf8(padded(BYTES_MAX + 1)) },
  {
    name: 'i_size_2_mib_and_one_of_two_byte_letters',
    expect: 'too-large',
    input: () => utf8(`"${'é'.repeat(MEBIBYTE)}"`),
  },
  text('i_size_300000_items', 'accepted', () => `[${'1,'.repeat(299_999)}1]`),
  text('i_size_300000_items_and_a_comma', 'syntax', () => `[${'1,'.repeat(300_000)}]`),
  text('i_size_100000_keys', 'accepted', () => JSON.stringify(Object.fromEntries(keys(100_000)))),
  text('i_size_100000_keys_and_one_twice', 'duplicate-key', () => {
    const object = JSON.stringify(Object.fromEntries(keys(100_000)));
    return `${object.slice(0, -1)},"key 0":1}`;
  }),
  text('n_size_2_mib_of_open_string', 'syntax', () => `"${'a'.repeat(BYTES_MAX - 1)}`),
  text('n_size_2_mib_of_spaces', 'empty', () => ' '.repeat(BYTES_MAX)),
];

function keys(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`key ${index}`, index]);
}

/**
 * How jobHistory.json is laid out, so that it can grow without being read: one interaction a line, and behind them a
 * closing that says where it begins and whose hash covers everything before it.
 */

/** Where the interactions end, and what they are: read back from the closing. */
export type HistoryEnd = {
  /** Sequence of the first interaction in the file. */
  first: number;
  count: number;
  /** Bytes before the closing. */
  at: number;
};

export function openingText(head: object): string {
  return `${JSON.stringify(head).slice(0, -1)},"interactions":[`;
}

export function lineText(line: string, count: number): string {
  return count === 0 ? `\n${line}` : `,\n${line}`;
}

/** Everything of the closing that the hash covers. */
export function tailText(tail: object): string {
  return `\n],${JSON.stringify(tail).slice(1, -1)}`;
}

export function endText({ first, count, at }: HistoryEnd): string {
  return `,"x_end":{"first":${first},"count":${count},"at":${at}}`;
}

export function sealText(sha256: string): string {
  return `,"x_sha256":"${sha256}"}\n`;
}

const SEAL = /,"x_sha256":"([0-9a-f]{64})"\}\n$/;
const END = /,"x_end":\{"first":(\d{1,15}),"count":(\d{1,15}),"at":(\d{1,15})\}$/;
/** Enough for the end and the seal. */
export const CLOSING_BYTES_MAX = 256;

/** Reads the last characters of a file; undefined when they were not written by us. */
export function readClosing(text: string): (HistoryEnd & { sha256: string; sealBytes: number }) | undefined {
  const [seal, sha256] = SEAL.exec(text) ?? [];
  if (seal === undefined || sha256 === undefined) return undefined;
  const [, first, count, at] = END.exec(text.slice(0, -seal.length)) ?? [];
  if (at === undefined) return undefined;
  return { first: Number(first), count: Number(count), at: Number(at), sha256, sealBytes: seal.length };
}

/** What stands between the interactions and the end. */
export function tailIn(closing: string): string {
  const from = closing.lastIndexOf(',"x_end":{');
  return closing.slice(0, from);
}

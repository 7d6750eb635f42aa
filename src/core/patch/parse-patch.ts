import { shownLine } from './shown-line.js';
import { type NumberedLine, unwrapPatch } from './unwrap-patch.js';

/** `kept` lines say where, `removed` and `added` ones say what. */
type ChunkLine = { type: 'kept' | 'removed' | 'added'; text: string };

export type Chunk = {
  /** Where it begins in the text that was sent. */
  line: number;
  /** The lines after `@@`, outermost first: each narrows the search to what follows it. */
  headers: readonly string[];
  lines: readonly ChunkLine[];
  /** `*** End of File`: its last line is the last one of the file. */
  atEnd: boolean;
};

export type FileChange =
  | { type: 'add'; path: string; line: number; lines: readonly string[] }
  | { type: 'delete'; path: string; line: number }
  | { type: 'update'; path: string; line: number; movePath: string | null; chunks: readonly Chunk[] };

export type UpdateChange = Extract<FileChange, { type: 'update' }>;
export type ParsedPatch = { changes: readonly FileChange[] } | { fault: string };

export const PATCH_LENGTH_MAX = 4 * 1024 * 1024;

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';
const ADD = '*** Add File:';
const DELETE = '*** Delete File:';
const UPDATE = '*** Update File:';
const MOVE = '*** Move to:';
/** Line numbers of a unified diff: they are often wrong, and what follows them is a header. */
const UNIFIED = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;
const PREFIXES: Readonly<Record<string, ChunkLine['type']>> = { ' ': 'kept', '-': 'removed', '+': 'added' };

/** Carries a fault out of the depth of the parser; it never leaves this file. */
class Fault extends Error {}

/** Reads a patch in the format that coding models write. Nothing is known about files yet. */
export function parsePatch(text: string): ParsedPatch {
  try {
    refuseText(text);
    return { changes: readChanges(new Reader(bodyOf(unwrapPatch(text)))) };
  } catch (problem) {
    if (problem instanceof Fault) return { fault: problem.message };
    throw problem;
  }
}

function refuseText(text: string): void {
  if (text.length > PATCH_LENGTH_MAX) {
    throw new Fault(`the patch has ${text.length} characters; at most ${PATCH_LENGTH_MAX} are taken`);
  }
  if (text.includes('\0')) throw new Fault('the patch holds a NUL character');
  // Half a character cannot be written: the file would hold something else than what was shown.
  if (/\p{Surrogate}/u.test(text)) throw new Fault('the patch holds half of a character (a lone surrogate)');
}

/** What stands between the two markers. */
function bodyOf(lines: readonly NumberedLine[]): readonly NumberedLine[] {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) throw new Fault(`the patch is empty; it begins with "${BEGIN}"`);
  if (first.text.trim() !== BEGIN)
    throw faultAt(first, `a patch begins with "${BEGIN}", not with ${shownLine(first.text)}`);
  if (last.text.trimEnd() !== END) throw faultAt(last, `a patch ends with "${END}", not with ${shownLine(last.text)}`);
  return lines.slice(1, -1);
}

class Reader {
  readonly #lines: readonly NumberedLine[];
  #next = 0;

  constructor(lines: readonly NumberedLine[]) {
    this.#lines = lines;
  }

  peek(): NumberedLine | undefined {
    return this.#lines[this.#next];
  }

  /** The next line when it fits. */
  take(fits: (text: string) => boolean): NumberedLine | undefined {
    const line = this.peek();
    if (!line || !fits(line.text)) return undefined;
    this.#next += 1;
    return line;
  }

  skipBlank(): void {
    while (this.take(isBlank)) {}
  }
}

function readChanges(reader: Reader): FileChange[] {
  const changes: FileChange[] = [];
  for (reader.skipBlank(); reader.peek(); reader.skipBlank()) changes.push(readChange(reader));
  if (changes.length === 0) throw new Fault('the patch names no file');
  return changes;
}

function readChange(reader: Reader): FileChange {
  const line = reader.take(() => true) as NumberedLine;
  const { number } = line;
  if (line.text.startsWith(ADD)) {
    return { type: 'add', path: pathAfter(ADD, line), line: number, lines: readAdded(reader) };
  }
  if (line.text.startsWith(DELETE)) return readDelete(reader, line);
  if (line.text.startsWith(UPDATE)) return readUpdate(reader, line);
  throw misplaced(line);
}

function readAdded(reader: Reader): string[] {
  const lines: string[] = [];
  for (let line = reader.take(isAdded); line; line = reader.take(isAdded)) lines.push(line.text.slice(1));
  reader.skipBlank();
  const after = reader.peek();
  if (after && !isMarker(after.text))
    throw faultAt(after, `each line of a new file begins with +, not ${shownLine(after.text)}`);
  return lines;
}

function readDelete(reader: Reader, line: NumberedLine): FileChange {
  const path = pathAfter(DELETE, line);
  reader.skipBlank();
  const after = reader.peek();
  if (after && !isMarker(after.text))
    throw faultAt(after, `nothing follows "${DELETE} ${path}", but ${shownLine(after.text)}`);
  return { type: 'delete', path, line: line.number };
}

function readUpdate(reader: Reader, line: NumberedLine): FileChange {
  const path = pathAfter(UPDATE, line);
  const move = reader.take((text) => text.startsWith(MOVE));
  const movePath = move ? pathAfter(MOVE, move) : null;
  const chunks: Chunk[] = [];
  for (let chunk = readChunk(reader, chunks); chunk; chunk = readChunk(reader, chunks)) chunks.push(chunk);
  if (chunks.length === 0 && movePath === null) throw faultAt(line, `${path} is updated, but no chunk follows`);
  return { type: 'update', path, line: line.number, movePath, chunks };
}

/** Only the first chunk of a file may begin without `@@`. */
function readChunk(reader: Reader, before: readonly Chunk[]): Chunk | undefined {
  while (reader.take(isEmpty)) {}
  const start = reader.peek();
  if (!start || isMarker(start.text)) return undefined;
  const headers = readHeaders(reader);
  if (!headers && before.length > 0) throw faultAt(start, `a chunk begins with @@, not with ${shownLine(start.text)}`);
  const lines: NumberedLine[] = [];
  for (let line = reader.take(isChunkLine); line; line = reader.take(isChunkLine)) lines.push(line);
  const read = withoutSeparators(lines).map(readLine);
  if (read.length === 0) {
    throw faultAt(reader.peek() ?? start, 'a chunk has at least one line beginning with a blank, - or +');
  }
  const atEnd = reader.take((text) => text.trimEnd() === END_OF_FILE) !== undefined;
  return { line: start.number, headers: headers ?? [], lines: read, atEnd };
}

/** Where all other lines are added ones, empty lines below them say no place: they only stand before what follows. */
function withoutSeparators(lines: readonly NumberedLine[]): readonly NumberedLine[] {
  const last = lines.findLastIndex(({ text }) => !isEmpty(text));
  const written = lines.slice(0, last + 1);
  return written.every(({ text }) => isAdded(text)) ? written : lines;
}

function readHeaders(reader: Reader): string[] | undefined {
  const headers: string[] = [];
  let line = reader.take(isHeader);
  if (!line) return undefined;
  for (; line; line = reader.take(isHeader)) {
    const text = line.text
      .slice(2)
      .trim()
      .replace(UNIFIED, '')
      .replace(/\s*@@$/, '')
      .trim();
    if (text !== '') headers.push(text);
  }
  return headers;
}

/** An empty line is an empty kept line whose blank was lost on the way. */
function readLine(line: NumberedLine): ChunkLine {
  if (isEmpty(line.text)) return { type: 'kept', text: '' };
  const type = PREFIXES[line.text.charAt(0)];
  if (!type) throw faultAt(line, `a line of a chunk begins with a blank, - or +, not ${shownLine(line.text)}`);
  return { type, text: line.text.slice(1) };
}

function pathAfter(marker: string, line: NumberedLine): string {
  const path = line.text.slice(marker.length).trim();
  if (path === '') throw faultAt(line, `"${marker}" names no file`);
  return path;
}

function misplaced(line: NumberedLine): Fault {
  const { text } = line;
  if (text.startsWith(BEGIN)) return faultAt(line, `"${BEGIN}" stands here a second time`);
  if (text.startsWith(END)) return faultAt(line, `"${END}" stands here, and more follows it`);
  if (text.startsWith(MOVE)) return faultAt(line, `"${MOVE}" belongs directly under "${UPDATE}"`);
  if (text.startsWith(END_OF_FILE)) return faultAt(line, `"${END_OF_FILE}" belongs under the last line of a chunk`);
  if (isMarker(text))
    return faultAt(line, `${shownLine(text)} is unknown: known are Add File, Delete File and Update File`);
  return faultAt(line, `a file is named by "${UPDATE}", "${ADD}" or "${DELETE}", not by ${shownLine(text)}`);
}

function isEmpty(text: string): boolean {
  return text === '';
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isAdded(text: string): boolean {
  return text.startsWith('+');
}

function isMarker(text: string): boolean {
  return text.startsWith('***');
}

function isHeader(text: string): boolean {
  return text === '@@' || text.startsWith('@@ ');
}

function isChunkLine(text: string): boolean {
  return !isMarker(text) && !isHeader(text);
}

function faultAt({ number }: NumberedLine, because: string): Fault {
  return new Fault(`line ${number} of the patch: ${because}`);
}

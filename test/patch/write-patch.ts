import fc from 'fast-check';

/** What happens to one line of a text, and what is added after it. */
type Edit = { line: string; stays: boolean; after: readonly string[] };
export type Edited = { before: string; after: string; chunks: readonly (readonly string[])[] };

const text = fc.oneof(
  fc.constantFrom('', ' ', '+', '-', '@@', '*** End Patch', '*** Update File: x', '\t}', '“quoted” – text', '# ü 文'),
  fc.string({ unit: 'binary', maxLength: 12 }).map((drawn) => drawn.replace(/[\n\r\0\uFEFF]|\p{Surrogate}/gu, '')),
);
const edit = fc.record({
  line: text,
  stays: fc.boolean(),
  after: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(text, { maxLength: 2 })),
});
const shape = fc.record({
  first: fc.array(text, { maxLength: 2 }),
  edits: fc.array(edit, { maxLength: 12 }),
  end: fc.constantFrom('\n', '\r\n'),
  isClosed: fc.boolean(),
  bom: fc.constantFrom('', '\uFEFF'),
  around: fc.integer({ min: 1, max: 3 }),
  isWhole: fc.boolean(),
});

/** Texts, their edits, and the chunks that say so: all lines in one chunk, or a few around each change. */
export const edited: fc.Arbitrary<Edited> = shape.map(({ first, edits, end, isClosed, bom, around, isWhole }) => {
  // Without all its lines a chunk can only be placed where lines differ.
  const own = isWhole ? edits : edits.map((one, index) => ({ ...one, line: `${one.line}#${index}` }));
  const lines = marked(first, own);
  // An open end is only one behind a line with something in it, and an end that no line has cannot be known.
  const closed = isClosed || (own.at(-1)?.line ?? '') === '';
  const known = own.length > 1 || (own.length === 1 && closed) ? end : '\n';
  const join = (kept: readonly string[]) => bom + kept.join(known) + (closed && kept.length > 0 ? known : '');
  return {
    before: join(own.map(({ line }) => line)),
    after: join(lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1))),
    chunks: isWhole ? [lines] : chunksOf(lines, around),
  };
});

function marked(first: readonly string[], edits: readonly Edit[]): string[] {
  const added = (lines: readonly string[]) => lines.map((line) => `+${line}`);
  return [
    ...added(first),
    ...edits.flatMap(({ line, stays, after }) => [`${stays ? ' ' : '-'}${line}`, ...added(after)]),
  ];
}

/** Changed lines with so many lines around them; what touches is one chunk. */
function chunksOf(lines: readonly string[], around: number): string[][] {
  const wanted = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => !line.startsWith(' ')),
  );
  const chunks: string[][] = [];
  for (const [index, line] of lines.entries()) {
    if (!wanted[index]) continue;
    if (!wanted[index - 1]) chunks.push([]);
    chunks.at(-1)?.push(line);
  }
  return chunks;
}

export function updatePart(path: string, { chunks }: Edited): string[] {
  return [`*** Update File: ${path}`, ...chunks.flatMap((chunk) => ['@@', ...chunk])];
}

export function asPatch(lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
}

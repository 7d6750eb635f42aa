import { readObject } from '../../contracts/job/read-object.js';
import { isObject } from '../../contracts/shared/is-object.js';
import { readJson } from '../../contracts/shared/read-json.js';

export type ResultRead = { value: object; warnings: string[] } | { reason: string };

/** A result is a JSON object, or Markdown whose front matter holds its fields. */
export async function readResult(text: string): Promise<ResultRead> {
  const front = frontMatterOf(text);
  if (front !== undefined) return readFrontMatter(front);
  const read = readObject(text);
  if ('reason' in read) return { reason: read.reason };
  return { value: read.value, warnings: read.violation === null ? [] : [read.violation] };
}

/** Undefined when the text does not begin with it. */
function frontMatterOf(text: string): string | undefined {
  const [, inside] = /^\uFEFF?\s*---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  return inside;
}

const FRONT_BYTES_MAX = 128 * 1024;

/** As JSON knows it: no tags, no anchors, and what YAML makes of it is read again as strictly as JSON is. */
async function readFrontMatter(front: string): Promise<ResultRead> {
  if (Buffer.byteLength(front) > FRONT_BYTES_MAX) {
    return { reason: `the front matter has more than ${FRONT_BYTES_MAX} bytes` };
  }
  const { parseDocument, visit } = await import('yaml');
  try {
    // Looking for keys that are there twice would take it the square of their number.
    const document = parseDocument(front, { schema: 'core', uniqueKeys: false, logLevel: 'silent' });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw problem;
    visit(document, {
      Map(_, { items }) {
        if (new Set(items.map(({ key }) => String(key))).size < items.length) throw new Error('a key is there twice');
      },
    });
    const read = readJson(JSON.stringify(document.toJS({ maxAliasCount: 0 })) ?? '');
    if ('denial' in read) return { reason: `the front matter: ${read.denial.reason}` };
    return isObject(read.value) ? { value: read.value, warnings: [] } : { reason: 'the front matter has no fields' };
  } catch (problem) {
    // Also what nests too deep for it.
    return { reason: `the front matter cannot be read: ${String(problem).split('\n')[0]}` };
  }
}

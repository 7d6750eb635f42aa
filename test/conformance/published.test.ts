import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONTRACT_NAMES } from '../../src/contracts/contract-names.js';
import type { SchemaNode } from './schema-nodes.js';

type Entry = { name: string; file: string; version: string; document: string; printed?: boolean; schema: SchemaNode };
type Generator = {
  readSchemas(): Entry[];
  generateTypes(): Promise<Record<string, string>>;
  generateValidators(): Record<string, string>;
};

const GENERATOR = new URL('../../tools/generate-contracts.mjs', import.meta.url).href;
const generator = (await import(/* @vite-ignore */ GENERATOR)) as Generator;
const SCHEMAS = new URL('../../schemas/', import.meta.url);
const GENERATED = new URL('../../src/contracts/generated/', import.meta.url);
const entries = generator.readSchemas();

describe('the published schemas', () => {
  test('are one per contract, each under a file name that is listed', () => {
    expect(entries.map(({ name }) => name)).toEqual(CONTRACT_NAMES);
    const listed = [...entries.map(({ file }) => file), 'index.json', 'printed.json'];
    expect(readdirSync(SCHEMAS).toSorted()).toEqual(listed.toSorted());
  });

  test('carry a version, in the list where a printed schema has no room for one [R108]', () => {
    for (const { name, version } of entries) expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('stay byte for byte as their documents print them, the first as schemas/llm-chat-schema.json [R007]', () => {
    const printed = entries
      .filter(({ printed }) => printed)
      .map(({ file, document }) => [file, { document, sha256: hashOf(file) }]);
    expect(Object.fromEntries(printed)).toEqual(JSON.parse(readFileSync(new URL('printed.json', SCHEMAS), 'utf8')));
    expect(printed[0]?.[0]).toBe('llm-chat-schema.json');
  });

  test('of contract 003 mean the same by the same name', () => {
    const meanings = new Map<string, { where: string; definition: SchemaNode }>();
    for (const { name, schema } of entries.filter(({ document }) => document === '003')) {
      for (const [word, definition] of Object.entries(schema.definitions ?? {})) {
        const first = meanings.get(word) ?? { where: name, definition };
        meanings.set(word, first);
        expect(definition, `${word} in ${name} and in ${first.where}`).toEqual(first.definition);
      }
    }
    expect(meanings.size).toBeGreaterThan(10);
  });

  test('never use a word that no test knows how to violate', () => {
    const unknown = entries.flatMap(({ name, schema }) => [...keywordsIn(schema)].map((word) => [name, word] as const));
    expect(unknown.filter(([, word]) => !KEYWORDS.has(word))).toEqual([]);
  });
});

describe('what is generated from the schemas', () => {
  test('types are those that are committed', async () => {
    expect(stale(await generator.generateTypes(), filesIn('types/')), 'run: npm run generate').toEqual([]);
  });

  test('validators are those on disk', () => {
    expect(stale(generator.generateValidators(), filesIn('validators/')), 'run: npm run generate').toEqual([]);
  });
});

/** Names of the files that are missing, left over or different. */
function stale(fresh: Record<string, string>, onDisk: Record<string, string>): string[] {
  const names = new Set([...Object.keys(fresh), ...Object.keys(onDisk)]);
  return [...names].filter((name) => fresh[name] !== onDisk[name]);
}

function hashOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(new URL(file, SCHEMAS)))
    .digest('hex');
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(new URL(folder, GENERATED));
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(folder + name, GENERATED), 'utf8')]));
}

/** Words that describe, words that lead to other nodes, and words that violations.ts violates or examples show. */
const KEYWORDS = new Set(
  `$schema $ref $comment title description default definitions discriminator if then else allOf anyOf oneOf not type enum
  const required properties propertyNames additionalProperties items minItems maxItems minLength maxLength pattern format
  minimum maximum exclusiveMinimum`.split(/\s+/),
);

function* keywordsIn(node: unknown): Iterable<string> {
  if (Array.isArray(node)) for (const inner of node) yield* keywordsIn(inner);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  for (const [word, inner] of Object.entries(node)) {
    yield word;
    if (word === 'properties' || word === 'definitions') {
      for (const named of Object.values(inner as object)) yield* keywordsIn(named);
    } else if (!['enum', 'const', 'default', 'required', 'discriminator'].includes(word)) yield* keywordsIn(inner);
  }
}

/** Compiles a schema exactly as the build does, but into functions instead of files. */

import { Ajv } from 'ajv';
import { codePointLength } from '../../src/contracts/shared/code-point-length.js';
import type { Validate } from '../../src/contracts/shared/contract.js';
import { formats } from '../../src/contracts/shared/formats.js';

type Entry = { name: string; schema: object; also_known?: readonly string[] };
type Generator = {
  AJV_OPTIONS: object;
  generateValidators(entries: readonly Entry[]): Record<string, string>;
  readSchemas(): (Entry & { file: string })[];
};

const GENERATOR = new URL('../../tools/generate-contracts.mjs', import.meta.url).href;
const generator = (await import(/* @vite-ignore */ GENERATOR)) as Generator;

export const publishedSchemas = generator.readSchemas();

export type Compiled = { validate: Validate; validateStrict: Validate };

export function compiled(schema: object, alsoKnown?: readonly string[]): Compiled {
  const entry: Entry = { name: 'case', schema, ...(alsoKnown && { also_known: alsoKnown }) };
  const module = generator.generateValidators([entry])['case.js'] as string;
  const body = module
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/^export const (\w+) = (\w+);$/gm, 'exported.$1 = $2;');
  const build = new Function('exported', 'codePointLength', 'formats', body);
  const exported = {} as Compiled;
  build(exported, codePointLength, formats);
  return exported;
}

/** The same options and formats, where the build's own form cannot be had. */
export function compiledByAjv(schema: object): (value: unknown) => boolean {
  const ajv = new Ajv(generator.AJV_OPTIONS);
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate });
  return ajv.compile(schema);
}
